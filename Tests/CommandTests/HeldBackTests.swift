import Foundation
import Support
import Testing

private let date = "2026-11-19"
private let range = ["backfill", "--from", "2026-11-18", "--to", "2026-11-20"]
private let held = """
    held back: 6 of 100 records were rejected, more than limits.reject_ratio (0.05) allows
    """

extension Workplace {
    private static func lines(rejects: Int) -> [String] {
        (0..<100 - rejects).map { hit("h\(String($0 + 1, radix: 16)),d,7") } + Array(repeating: "junk", count: rejects)
    }

    /// A date of 100 lines. Six of them cannot be read, which is more than the limit, so its load was held back.
    fileprivate static func heldBack() throws -> Workplace {
        let place = try withHits(lines(rejects: 6))
        place.settle()
        let outcome = try place.run("run", "--date", date)
        #expect(outcome.exit == 65)
        #expect(outcome.stderr.contains("error: 2026-11-19: " + held))
        return place
    }

    fileprivate func write(rejects: Int) throws {
        try scratch.write(Workplace.lines(rejects: rejects).map { $0 + "\n" }.joined(), to: "logs/\(date).log")
        settle()
    }
}

/// A held back load is remembered. It is shown, and it is tried again after a change.
@Suite(.needsPushetl)
struct HeldBackTests {
    @Test func aHeldBackDateIsShownUntilItIsLoaded() throws {
        let place = try Workplace.heldBack()
        let status = try place.run("status")
        #expect(status.exit == 0)
        #expect(status.stdout.contains("  2026-11                    H\n"))
        #expect(status.stdout.contains("  held back   1  2026-11-19\n"))
        #expect(status.stdout.contains("  2026-11-19  held back: 6 of 100 records were rejected, more than\n"))
        #expect(try place.run(range + ["--dry-run"]).stdout.contains("kB  " + held + "\n"))
        let rejects = try place.run("rejects", "--date", date)
        #expect(rejects.exit == 0)
        #expect(rejects.stdout.split(separator: "\n").count == 6)
        #expect(rejects.stdout.hasPrefix("logs/2026-11-19.log:95: malformed_line: "))
        #expect(try place.run("rejects", "--summary").stdout == "2026-11-19  adobe  malformed_line  6\n")

        try place.write(rejects: 5)
        #expect(
            try place.run(range + ["--dry-run"]).stdout.contains(
                "kB  \(held); changed since: logs/2026-11-19.log has changed\n"))
        #expect(try place.run(range).exit == 0)
        let loaded = try place.run("status")
        #expect(loaded.stdout.contains("  2026-11                    C\n"))
        #expect(!loaded.stdout.contains("held back   "))
        #expect(try place.run("rejects", "--date", date).stdout.split(separator: "\n").count == 5)
        #expect(try place.rows("SELECT events FROM partitions") == ["95"])
        #expect(!place.scratch.exists("out/partitions/.held"))
    }

    @Test(arguments: [range, range + ["--only", "held"], ["run", "--date", "2026-11-20", "--catch-up", "3"]])
    func aHeldBackDateIsNotReadAgainWithoutAChange(arguments: [String]) throws {
        let place = try Workplace.heldBack()
        let before = place.outputBytes()
        for _ in 0..<2 {
            let outcome = try place.run(arguments)
            #expect(outcome.exit == 65)
            #expect(
                outcome.stderr.contains(
                    "error: 2026-11-19: \(held); nothing has changed since, so it was not read again\n")
            )
            #expect(
                outcome.stdout.contains("  held back        1  2026-11-19; not read again, since nothing has changed\n")
            )
        }
        #expect(place.outputBytes() == before)
        // Only the time of the file is another.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: place.scratch.path("logs/\(date).log"))
        #expect(try place.run(arguments).exit == 65)
        #expect(place.outputBytes() == before)
    }

    @Test func anotherLimitOrForceLoadsAHeldBackDate() throws {
        let place = try Workplace.heldBack()
        #expect(try place.run(range + ["--force"]).exit == 0)
        #expect(try place.rows("SELECT events FROM partitions") == ["94"])

        let other = try Workplace.heldBack()
        let pipeline = try other.scratch.text("push.yaml") + "limits: {reject_ratio: 0.06}\n"
        try other.scratch.write(pipeline, to: "push.yaml")
        #expect(try other.run(range + ["--dry-run"]).stdout.contains("; changed since: the pipeline has changed\n"))
        #expect(try other.run(range).exit == 0)
        #expect(try other.rows("SELECT events FROM partitions") == ["94"])
    }

    @Test func aHoldKeepsTheEarlierPartitionAndWithoutItsFilesItIsShrunk() throws {
        let place = try Workplace.withHits([])
        try place.write(rejects: 0)
        #expect(try place.run("run", "--date", date).exit == 0)
        let before = try place.dump()
        try place.write(rejects: 6)
        #expect(try place.run(range).exit == 65)
        #expect(try place.dump() == before)
        #expect(try place.run("status").stdout.contains("  2026-11                    H\n"))
        // The old bytes give the partition that is there. That ends the hold, and nothing is written.
        try place.write(rejects: 0)
        #expect(try place.run(range).exit == 0)
        #expect(try place.run("status").stdout.contains("  2026-11                    C\n"))

        try place.write(rejects: 6)
        #expect(try place.run(range).exit == 65)
        try place.scratch.move("logs/\(date).log", to: "logs/elsewhere")
        #expect(try place.run("status").stdout.contains("  2026-11                    X\n"))
    }

    @Test func aPartialLoadIsHeldBackIfACompleteOneExists() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")], pipeline: Workplace.twoSources)
        try place.scratch.write((Workplace.hit("h2,d,7") + "\n"), to: "more/\(date).log")
        #expect(try place.run("run", "--date", date).exit == 0)
        try place.scratch.remove("more/\(date).log")
        let kept = try place.run("run", "--date", date)
        #expect(kept.exit == 65)
        let sentence = """
            held back: this load is only partial (source 'second' has no files), so the complete partition was kept
            """
        #expect(kept.stderr.contains("error: 2026-11-19: \(sentence); --force would replace it\n"))
        // Shrunk is shown rather than held back.
        #expect(try place.run("status").stdout.contains("  2026-11                    X\n"))
        #expect(
            try place.run(range + ["--dry-run"]).stdout.contains(sentence + "; shrunk: more/2026-11-19.log is gone\n"))
    }

    @Test(.enabled(if: access("/proc/self/mem", F_OK) == 0, "there is no /proc/self/mem"))
    func anUnreadableFileIsTriedEveryTime() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        // Everybody may open this file, and nobody can read its first page.
        try place.scratch.remove("logs/\(date).log")
        try place.scratch.makeLink("logs/\(date).log", to: "/proc/self/mem")
        for arguments in [["run", "--date", date], range] {
            let outcome = try place.run(arguments)
            #expect(outcome.exit == 74, "\(outcome)")
            #expect(outcome.stderr.contains("error: 2026-11-19: held back: logs/2026-11-19.log: cannot be read: "))
            #expect(try place.run("status").stdout.contains("  2026-11                    H\n"))
        }
        try place.scratch.remove("logs/\(date).log")
        try place.scratch.write((Workplace.hit("h1,d,7") + "\n"), to: "logs/\(date).log")
        #expect(try place.run(range).exit == 0)
        #expect(try place.run("status").stdout.contains("  2026-11                    C\n"))
    }

    @Test(arguments: ["nowhere", "2026-11-19b.log"])
    func aLinkThatLeadsNowhereIsAFileThatCannotBeRead(_ target: String) throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")], pipeline: Workplace.manyFiles)
        let link = "logs/\(date)b.log"
        try place.scratch.makeLink(link, to: target)
        let why = target == "nowhere" ? "no such file or directory" : "too many levels of symbolic links"
        let held = "2026-11-19: held back: \(link): cannot be read: \(why)"
        #expect(try place.run(range + ["--dry-run"]).stdout.contains("2026-11-19  load  2 files  "))
        for arguments in [["run", "--date", date], range] {
            let outcome = try place.run(arguments)
            #expect(outcome.exit == 74)
            #expect(
                outcome.stderr
                    == "error: \(held); the former content is kept; make the file readable and run again\n")
            #expect(!place.scratch.exists("out/push.db"))
        }
        let check = try place.run("status", "--check", "--quiet")
        #expect(check.exit == 65)
        #expect(check.stderr.contains("error: \(held)"))
        for arguments in [["preview", "--date", date], ["guess", link]] {
            let outcome = try place.run(arguments)
            #expect(outcome.exit == 74)
            #expect(outcome.stderr == "error: \(link): cannot be read: \(why)\n")
        }
        try place.scratch.remove(link)
        #expect(try place.run(range).exit == 0)
        #expect(try place.rows("SELECT status, files, records FROM partitions") == ["complete|1|1"])

        // A file that was loaded, and is such a link now, is not gone: the date is not shrunk.
        try place.scratch.move("logs/\(date).log", to: "elsewhere")
        try place.scratch.makeLink("logs/\(date).log", to: "../" + target)
        #expect(try place.run("status").stdout.contains("  2026-11                    S\n"))
        #expect(try place.run(range).exit == 74)
        #expect(try place.rows("SELECT status, files, records FROM partitions") == ["complete|1|1"])
        try place.scratch.remove("logs/\(date).log")
        #expect(try place.run("status").stdout.contains("  2026-11                    X\n"))
    }

    @Test func aLinkToNoFolderHoldsItsDateUp() throws {
        let place = try Workplace.withHits(
            [Workplace.hit("h1,d,7")], pipeline: Workplace.onePipeline.replacing("%d.log", with: "%d/*.log"))
        try place.scratch.write(Workplace.hit("h1,d,7") + "\n", to: "logs/2026-11-18/a.log")
        try place.scratch.makeLink("logs/\(date)", to: "unmounted")
        let outcome = try place.run("backfill", "--from", "2026-11-18", "--to", date)
        #expect(outcome.exit == 74)
        let why =
            "logs/2026-11-19: the folder cannot be searched: no such file or directory; make it readable and run again"
        #expect(outcome.stderr == "error: 2026-11-19: \(why)\n")
        #expect(try place.rows("SELECT log_date, status, records FROM partitions") == ["2026-11-18|complete|1"])
        #expect(try place.run("status", "--check", "--quiet").exit == 74)
    }

    @Test(arguments: ["", "{", "{\"reason\":1}\n"])
    func anUnreadableHoldIsForgotten(text: String) throws {
        let place = try Workplace.heldBack()
        try place.scratch.write(text, to: "out/partitions/.held/\(date).jsonl")
        #expect(try place.run("status").stdout.contains("2026-11-19"))
        #expect(try place.run(range + ["--dry-run"]).stdout.contains("kB  missing\n"))
    }
}
