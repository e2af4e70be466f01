import Foundation
import Support
import Testing

/// Logs of 2026-11-10 to 2026-11-15 with every oddity. Many hits are repeated on later dates.
private func sixDates(records: Int = 300) throws -> Workplace {
    let place = try Workplace.withLoggen("--records \(records) --from 2026-11-10 --to 2026-11-15 --late 300")
    place.settle()
    return place
}

extension Workplace {
    fileprivate func backfill(
        _ from: Int, _ to: Int, output: String, _ arguments: String...
    ) throws -> Program.Outcome {
        try run(["backfill", "--from", "2026-11-\(from)", "--to", "2026-11-\(to)", "--output", output] + arguments)
    }

    fileprivate func figures(_ output: String) throws -> [String] {
        try dump("\(output)/push.db")
    }
}

@Suite(.needsPushetl, .needsLoggen)
struct BackfillOrderTests {
    @Test func aBackfillGivesTheSameFiguresAsRunsDateByDate() throws {
        let place = try sixDates()
        for day in 10...15 { #expect(try place.run("run", "--date", "2026-11-\(day)", "--output", "single").exit == 0) }
        let expected = try place.figures("single")

        #expect(try place.backfill(10, 15, output: "whole").exit == 0)
        #expect(try place.figures("whole") == expected)

        for (from, to) in [(14, 15), (10, 11), (12, 14)] {
            #expect(try place.backfill(from, to, output: "chunks").exit == 0)
        }
        #expect(try place.backfill(10, 15, output: "chunks").stdout.hasPrefix("nothing to load\n"))
        #expect(try place.figures("chunks") == expected)

        // The partitions are the same byte by byte.
        for day in 10...15 {
            let name = "partitions/2026-11-\(day).sqlite"
            #expect(place.bytes("single/\(name)") == place.bytes("whole/\(name)"))
            #expect(place.bytes("single/\(name)") == place.bytes("chunks/\(name)"))
        }
    }

    @Test func aBackfillGivesTheSameFiguresWithAnyThreadsAndMemory() throws {
        let place = try sixDates()
        #expect(try place.backfill(10, 15, output: "jobs1", "--jobs", "1").exit == 0)
        let expected = try place.figures("jobs1")
        for jobs in 2...4 {
            #expect(try place.backfill(10, 15, output: "jobs\(jobs)", "--jobs", "\(jobs)", "--memory", "16M").exit == 0)
            #expect(try place.figures("jobs\(jobs)") == expected)
        }
    }

    @Test func aStoppedBackfillContinuesWhereItStopped() throws {
        try expectContinuation(after: SIGINT)
    }

    @Test(.enabled(if: Long.isOn, "PUSHETL_LONG=1 runs it"))
    func aKilledBackfillContinuesWhereItStopped() throws {
        try expectContinuation(after: SIGKILL)
    }

    private func expectContinuation(after signal: Int32) throws {
        let place = try sixDates(records: Long.isOn ? 20_000 : 10_000)
        let range = ["--from", "2026-11-10", "--to", "2026-11-15"]
        let first = "out/partitions/2026-11-10.sqlite"
        let running = try place.start(["backfill"] + range + ["--output", "out", "--jobs", "1"], until: first)
        running.send(signal)
        let stopped = try running.wait()
        #expect(stopped.exit == (signal == SIGINT ? 130 : -SIGKILL))
        #expect(!place.scratch.exists("out/push.db"))
        let standing = try #require(place.bytes(first))

        let next = try place.backfill(10, 15, output: "out")
        #expect(next.exit == 0)
        #expect(!next.stdout.contains("2026-11-10  "))
        #expect(next.stdout.contains("2026-11-15  complete  "))
        #expect(place.bytes(first) == standing)
        #expect(try place.backfill(10, 15, output: "undisturbed").exit == 0)
        #expect(try place.figures("out") == place.figures("undisturbed"))
        #expect(
            try place.scratch.names("out/partitions")
                == [".kept"] + (10...15).map { "2026-11-\($0).sqlite" })
    }

    @Test func aRunWithCatchUpLoadsEarlierDatesThatNeedIt() throws {
        let place = try sixDates()
        #expect(try place.backfill(12, 13, output: "out").exit == 0)
        let log = try #require(try place.rows("SELECT path FROM files WHERE log_date = '2026-11-13' LIMIT 1").first)
        // Other bytes with the same records: one byte after the last member.
        try place.scratch.write(try #require(place.bytes(log)) + [0], to: log)
        place.settle()

        let outcome = try place.run("run", "--date", "2026-11-14", "--catch-up", "3", "--output", "out")
        #expect(outcome.exit == 0)
        let lines = outcome.stdout.split(separator: "\n")
        try #require(lines.count >= 4)
        #expect(lines[0].hasPrefix("2026-11-11  complete  "))
        #expect(lines[0].hasSuffix("  was missing"))
        #expect(lines[1].hasPrefix("2026-11-13  complete  "))
        #expect(lines[1].hasSuffix("\(log) has changed"))
        #expect(lines[2].hasPrefix("2026-11-14  complete  "))
        #expect(lines[3].hasPrefix("  records "))
        #expect(
            try place.rows("SELECT command, log_dates FROM runs ORDER BY started_at DESC, command DESC LIMIT 1") == [
                "run --date 2026-11-14 --catch-up 3|2026-11-11 2026-11-13 2026-11-14"
            ])
        // The date itself is always read. The others are up to date.
        let before = place.outputBytes()
        let again = try place.run("run", "--date", "2026-11-14", "--catch-up", "3", "--output", "out")
        #expect(again.exit == 0)
        #expect(again.stdout.hasPrefix("2026-11-14  complete, nothing new  "))
        #expect(place.outputBytes() == before)
        // Dates that are up to date are no input for a date without files.
        #expect(try place.run("run", "--date", "2026-11-16", "--catch-up", "1", "--output", "out").exit == 0)
        let empty = try place.run("run", "--date", "2026-11-16", "--catch-up", "1", "--output", "out")
        #expect(empty.exit == 66)
        #expect(empty.stderr.hasPrefix("error: 2026-11-16: no source has files; nothing changed; "))
    }
}
