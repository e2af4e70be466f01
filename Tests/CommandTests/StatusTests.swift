import Foundation
import Support
import Testing

/// Loaded dates of November 2026.
private func loaded(_ days: ClosedRange<Int>) throws -> Workplace {
    let place = try Workplace.withHits(
        [Workplace.hit("h19,d,7")], pipeline: Workplace.manyFiles)
    for day in days {
        try place.scratch.write(Workplace.hit("h\(day),d,7"), to: "logs/2026-11-\(day).log")
    }
    place.settle()
    let (from, to) = ("2026-11-\(days.lowerBound)", "2026-11-\(days.upperBound)")
    #expect(try place.run("backfill", "--from", from, "--to", to).exit == 0)
    return place
}

@Suite(.needsPushetl)
struct StatusTests {
    @Test func statusShowsStaleAndShrunkDatesAndWhy() throws {
        let place = try loaded(16...19)
        try place.scratch.write(Workplace.hit("h1,d,7"), to: "logs/2026-11-17-late.log")
        try place.scratch.remove("logs/2026-11-18.log")
        try place.scratch.write(Workplace.hit("h2,d,7"), to: "logs/2026-11-21.log")
        let before = place.outputBytes()
        let outcome = try place.run("status")
        #expect(outcome.exit == 0)
        #expect(outcome.stdout.contains("  2026-11                 CSXC.M\n"))
        #expect(outcome.stdout.contains("  complete    4\n"))
        #expect(outcome.stdout.contains("  missing     2  2026-11-20 to 2026-11-21\n    has files 1  2026-11-21\n"))
        // What needs a look comes first. Deleted logs need none.
        #expect(outcome.stdout.hasPrefix("out/push.db\n\n  2026-11-17  stale: logs/2026-11-17-late.log is new\n\n"))
        #expect(outcome.stdout.contains("\n  logs gone   1  2026-11-18\n"))
        let json = try place.run("status", "--json")
        let dates = try json.logDates()
        #expect(dates.map { $0["stale"] as? Bool } == [false, true, false, false, false, false])
        #expect(dates.map { $0["shrunk"] as? Bool } == [false, false, true, false, false, false])
        #expect(dates.map { $0["input_files"] as? Int } == [1, 2, 0, 1, 0, 1])
        try #require(dates.count == 6)
        #expect(
            dates[1]["reasons"] as? [[String: String]] == [["reason": "new_file", "path": "logs/2026-11-17-late.log"]])
        #expect(place.outputBytes() == before)
    }

    @Test func statusGroupsDatesWithTheSameReason() throws {
        let place = try loaded(10...19)
        let pipeline = Workplace.manyFiles + "    required: false\n"
        try place.scratch.write(pipeline, to: "push.yaml")
        #expect(
            try place.run("status").stdout.contains(
                "\n  2026-11-10 to 2026-11-19  stale: the pipeline has changed\n"))
    }

    @Test func statusWorksWithoutTheLogs() throws {
        let place = try loaded(18...19)
        try place.scratch.remove("logs")
        let outcome = try place.run("status")
        #expect(outcome.exit == 0)
        #expect(outcome.stdout.contains("CC\n"))
        #expect(
            outcome.stderr == """
                warning: source 'adobe': the folder logs does not exist; check 'files' in push.yaml; its files were not \
                compared

                """)
    }
}
