import Foundation
import Support
import Testing

@Suite(.needsPushetl)
struct PreviewTests {
    private let lines = [
        Workplace.hit("h1685a5,d57fd6,7"), Workplace.hit("h1685a5,d57fd6,z"), "no log line",
        "192.0.2.1 - - [19/Nov/2026:10:00:00 +0000] \"GET /robots.txt HTTP/1.1\" 200 0 \"-\" \"-\"",
        "192.0.2.1 - - [19/Nov/2026:10:00:00 +0000] \"GET /robots.txt HTTP/1.1\" 200 0 \"-\" \"-\"",
    ]

    @Test func theFilesOfADateAreShownLineByLine() throws {
        let place = try Workplace.withHits(lines)
        let outcome = try place.run("preview", "--date", "2026-11-19")
        #expect(outcome.exit == 0)
        let shown = outcome.stdout.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(shown[0] == "logs/2026-11-19.log")
        #expect(shown[1] == "source adobe (collector, combined), log date 2026-11-19 (as given)")
        #expect(shown[3].hasPrefix("line  outcome   time"))
        #expect(shown[4].contains("   1  accepted  2026-11-19 "))
        #expect(shown[4].contains("  1685a5       d57fd6       impression  "))
        #expect(shown[5] == "   2  rejected  malformed_id")
        #expect(shown[6].hasPrefix("   3  rejected  malformed_line: combined: expected "))
        #expect(shown[7] == " 4-5  filtered  not_tracking, 2 records")
        #expect(shown[9].hasPrefix("5 lines: 5 records, 2 filtered (not_tracking), 1 accepted, "))
        #expect(!outcome.stdout.contains("192.0.2.1"))
        #expect(!place.scratch.exists("out"))
    }

    @Test func theLogDateComesFromTheNameOrTheFirstTime() throws {
        let place = try Workplace.withHits(lines)
        #expect(
            try place.run("preview", "logs/2026-11-19.log").stdout.contains(
                "log date 2026-11-19 (from the file's name)"))
        try place.scratch.write(lines.joined(separator: "\n"), to: "other/access.log")
        let outcome = try place.run("preview", "other/access.log")
        #expect(outcome.exit == 0)
        #expect(outcome.stdout.contains("log date 2026-11-19 (from the first time in it)"))
        try place.scratch.write("no log line\n", to: "other/text")
        #expect(try place.run("preview", "other/text").stdout.contains("(yesterday, since nothing tells)"))
    }

    @Test func ofSeveralSourcesTheNameOrAnOptionTells() throws {
        let place = try Workplace.withHits(lines, pipeline: Workplace.twoSources)
        try place.scratch.write(lines[0], to: "more/2026-11-19.log")
        #expect(try place.run("preview", "more/2026-11-19.log").stdout.contains("source second "))
        try place.scratch.write(lines[0], to: "other.log")
        let unknown = try place.run("preview", "other.log")
        #expect(unknown.exit == 64)
        #expect(
            unknown.stderr.contains("other.log matches no source; name its source with --source, one of adobe, second.")
        )
        #expect(try place.run("preview", "other.log", "--source", "second").stdout.contains("source second "))
        let wrong = try place.run("preview", "other.log", "--source", "secnd")
        #expect(wrong.exit == 64)
        #expect(wrong.stderr.contains("There is no source 'secnd'; did you mean 'second'?"))
    }

    @Test func aSampleIsTenThousandLines() throws {
        let place = try Workplace.withHits(Array(repeating: lines[0], count: 10_007))
        let outcome = try place.run("preview", "--date", "2026-11-19", "--limit", "2")
        #expect(
            outcome.stdout.hasSuffix(
                "… and 9,998 records more; --limit shows more\n\nthe first 10,000 lines: 10,000 records, 10,000 accepted\n"
            ))
    }

    @Test func whatLooksWrongIsAWarning() throws {
        let place = try Workplace.withHits(Array(repeating: "no log line", count: 1_500))
        let outcome = try place.run("preview", "--date", "2026-11-19", "--limit", "0")
        #expect(outcome.exit == 0)
        #expect(outcome.stderr.contains("source 'adobe'"))
        #expect(outcome.stderr.contains("1,500 malformed_line"))
    }

    @Test func filesThatCannotBeReadAreNamed() throws {
        let place = try Workplace.withHits(lines)
        #expect(try place.run("preview", "--date", "2026-11-18").exit == 66)
        let missing = try place.run("preview", "none.log")
        #expect(missing.exit == 74)
        #expect(missing.stderr == "error: none.log: cannot be read: no such file or directory\n")
        let folder = try place.run("preview", "logs")
        #expect(folder.exit == 74)
        #expect(folder.stderr == "error: logs: cannot be read: is a directory\n")
        try place.scratch.write(
            [UInt8]([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]) + [UInt8](repeating: 0, count: 40), to: "a.log")
        let foreign = try place.run("preview", "a.log")
        #expect(foreign.exit == 65)
        #expect(foreign.stderr.contains("a.log: is xz-compressed"))
        try place.scratch.write("", to: "empty.log")
        let empty = try place.run("preview", "empty.log")
        #expect(empty.exit == 0)
        #expect(empty.stdout.hasSuffix("\n0 lines: 0 records\n"))
    }
}
