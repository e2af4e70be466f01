import Foundation
import Support
import Testing

/// A file that has fewer bytes than its size says, like a file that is cut while it is read.
private let shortFile = "/sys/kernel/mm/transparent_hugepage/enabled"
private let shortText = (try? String(contentsOfFile: shortFile, encoding: .utf8)) ?? ""

/// Files of the system that are read as those of a failing disk.
@Suite(.needsPushetl)
struct SystemFileTests {
    private let log = "logs/2026-11-19.log"
    private let range = ["backfill", "--from", "2026-11-18", "--to", "2026-11-20"]

    /// Everybody may open `/proc/self/mem`, and nobody can read its first page.
    @Test(.enabled(if: access("/proc/self/mem", F_OK) == 0, "there is no /proc/self/mem"))
    func anUnreadableFileIsTriedEveryTime() throws {
        let place = try Workplace.withHits([])
        try place.scratch.remove(log)
        try place.scratch.makeLink(log, to: "/proc/self/mem")
        for arguments in [["run", "--date", "2026-11-19"], range] {
            let outcome = try place.run(arguments)
            #expect(outcome.exit == 74, "\(outcome)")
            #expect(outcome.stderr.contains("error: 2026-11-19: held back: logs/2026-11-19.log: cannot be read: "))
            #expect(try place.run("status").stdout.contains("  2026-11                    H\n"))
        }
        try place.scratch.remove(log)
        try place.scratch.write(Workplace.hit("h1,d,7") + "\n", to: log)
        #expect(try place.run(range).exit == 0)
        #expect(try place.run("status").stdout.contains("  2026-11                    C\n"))
    }

    @Test(.enabled(if: shortText.hasSuffix("\n") && shortText.utf8.count < 4096, "\(shortFile) is not there"))
    func aPlainFileShorterThanItsSizeIsTruncated() throws {
        let place = try Workplace.withHits(
            [Workplace.hit("h1,d,7")], pipeline: Workplace.manyFiles + "limits: {reject_ratio: 1}\n")
        try place.scratch.makeLink("logs/2026-11-19b.log", to: shortFile)
        let outcome = try place.run("run", "--date", "2026-11-19")
        #expect(outcome.exit == 65)
        #expect(
            outcome.stderr.contains(
                "error: logs/2026-11-19b.log: became shorter while it was read; once it rests: "
                    + "'pushetl run --date 2026-11-19'\n"))
        #expect(try place.rows("SELECT status, events FROM partitions") == ["partial|1"])
        #expect(
            try place.rows("SELECT path, status, records FROM files ORDER BY path") == [
                "logs/2026-11-19.log|ok|1", "logs/2026-11-19b.log|truncated|1",
            ])
    }
}
