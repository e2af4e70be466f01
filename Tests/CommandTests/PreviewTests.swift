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
        #expect(shown[1] == "source adobe (collector, combined), log date 2026-11-19 (as given), 5 lines")
        #expect(shown[3].hasPrefix("line  outcome   time (UTC) "))
        #expect(shown[4].contains("   1  accepted  2026-11-19 "))
        #expect(shown[4].contains("  1685a5       d57fd6       impression  "))
        #expect(shown[5] == "   2  rejected  malformed_id")
        #expect(shown[6].hasPrefix("   3  rejected  malformed_line: combined: expected "))
        #expect(shown[7] == " 4-5  filtered  not_tracking, 2 records")
        #expect(
            shown[9...] == [
                "source  outcome   reason          records", "adobe   accepted                        1",
                "adobe   filtered  not_tracking          2", "adobe   rejected  malformed_line        1",
                "adobe   rejected  malformed_id          1", "all                                     5", "",
            ])
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
                "… and 9,998 records more; --limit shows more\n\nsource  outcome   reason  records\n"
                    + "adobe   accepted           10,000\n"))
        #expect(outcome.stdout.contains("(as given), the first 10,000 lines\n"))
    }

    /// A date has a file for each hour.
    @Test func theFilesOfADateHaveOneTableOfCounts() throws {
        let pipeline = Workplace.onePipeline.replacing("logs/%Y-%m-%d.log", with: "logs/%Y-%m-%d/*.log")
        let place = try Workplace.withHits([], pipeline: "timezone: Europe/Madrid\n" + pipeline)
        for hour in 0..<24 {
            let hit = Workplace.hit("h\(hour + 1),d57fd6,7")
            try place.scratch.write("\(hit)\nno log line\n", to: "logs/2026-11-19/\(hour + 100).log")
        }
        let date = ["preview", "--date", "2026-11-19", "--limit", "1"]
        let outcome = try place.run(date)
        #expect(outcome.stdout.components(separatedBy: "source  outcome").count == 2)
        #expect(
            outcome.stdout.hasSuffix(
                """

                all 24 files, 48 lines

                source  outcome   reason          records
                adobe   accepted                       24
                adobe   rejected  malformed_line       24
                all                                    48

                """))
        let verbose = try place.run(date + ["--verbose"]).stdout
        #expect(verbose.components(separatedBy: "source  outcome").count == 25)
        #expect(!verbose.contains("all 24 files"))
        // Times are those of explain.
        _ = try place.run("run", "--date", "2026-11-19", "--force")
        let explained = try place.run("explain", "h1").stdout
        for text in ["time (Europe/Madrid)", "2026-11-19 11:00:00"] {
            #expect(outcome.stdout.contains(text), "\(outcome.stdout)")
            #expect(explained.contains(text), "\(explained)")
        }
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
        #expect(empty.stdout.hasSuffix(", 0 lines\n\nno records\n"))
    }
}
