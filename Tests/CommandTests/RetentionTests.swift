import Foundation
import Reference
import SQLite
import Support
import Testing

/// Old log dates in outputs that Spark has written to. The random histories compare figures
/// and search for ids, and `retention*.md` have what commands say.
@Suite(.needsPushetl)
struct RetentionTests {
    /// An output that holds ids for ten days, and one that holds them for ever, of 23 log dates from 2026-01-01 on. Each shares a
    /// message with the log date before.
    private static func withOldLogs() throws -> Workplace {
        let place = try Workplace()
        let pipeline = """
            version: 1
            output: out
            dedup: {window_days: 1}
            retention: {ids: 10}
            sources:
              - {name: adobe, format: collector, files: logs/%Y-%m-%d.log}

            """
        try place.scratch.write(pipeline, to: "push.yaml")
        let plain = pipeline.replacing("retention: {ids: 10}\n", with: "")
        try place.scratch.write(plain.replacing("output: out", with: "output: plain"), to: "plain.yaml")
        for day in 1...23 {
            let hits = ["h\(day + 100),d,7", "h\(day + 100),d,1", "h\(day + 99),d,2"].map { Workplace.hit($0) + "\n" }
            let text = hits.joined().replacing("19/Nov/2026", with: "\(RetentionTests.day(day))/Jan/2026")
            try place.scratch.write(text, to: "logs/\(RetentionTests.date(day)).log")
        }
        return place
    }

    private static func day(_ day: Int) -> String { day < 10 ? "0\(day)" : "\(day)" }
    private static func date(_ day: Int) -> String { "2026-01-\(RetentionTests.day(day))" }

    /// Whether both outputs have the same figures once they are loaded up to a day.
    private static func isSame(_ place: Workplace, through day: Int) throws -> Bool {
        let range = ["--from", date(1), "--to", date(day)]
        #expect(try place.run(["backfill", "-p", "plain.yaml"] + range).exit == 0)
        let others: Set = ["about", "publication"]
        return try place.dump(besides: others) == place.dump("plain/push.db", besides: others)
    }

    @Test func aJobSettlesTheSame() throws {
        let place = try RetentionTests.withOldLogs()
        func job(_ arguments: String...) throws -> Program.Outcome {
            try SparkJob(place.program, in: place.scratch.url).run(arguments + ["-p", "push.yaml"])
        }
        let outcome = try job("--from", "2026-01-01", "--to", "2026-01-20", "--settle")
        #expect(outcome.exit == 0, "\(outcome.stderr)")
        #expect(outcome.stdout.contains("  settled         11  2026-01-01 to 2026-01-11\n"), "\(outcome.stdout)")
        #expect(try RetentionTests.isSame(place, through: 20))
        for day in 21...23 {
            let outcome = try job("--date", RetentionTests.date(day))
            #expect(outcome.exit == 0, "\(outcome.stderr)")
            #expect(
                outcome.stdout.contains("  ids erased       1  \(RetentionTests.date(day - 10))\n"), "\(outcome.stdout)"
            )
            #expect(try RetentionTests.isSame(place, through: day))
        }
        let doctor = try place.run("doctor")
        #expect(doctor.exit == 0, "\(doctor.stdout)")
    }

    /// A log date settles in the command that loads its neighbour again. Its final rows are others than those that were shown.
    @Test func whatSettlesIsShownAsItSettled() throws {
        let place = try RetentionTests.withOldLogs()
        let range = ["--from", RetentionTests.date(1), "--to", RetentionTests.date(20)]
        #expect(try place.run(["backfill", "-p", "plain.yaml", "--output", "out"] + range).exit == 0)
        #expect(try place.run(["backfill", "-p", "plain.yaml"] + range).exit == 0)
        // The second one loses what it shares with the first.
        let hit = Workplace.hit("h102,d,7").replacing("19/Nov/2026", with: "02/Jan/2026")
        try place.scratch.write(hit + "\n", to: "logs/2026-01-02.log")
        let again = ["run", "--date", RetentionTests.date(2), "--force"]
        #expect(try place.run(again + ["-p", "plain.yaml"]).exit == 0)
        let outcome = try place.run(again + ["-p", "push.yaml", "--settle"])
        #expect(outcome.exit == 0, "\(outcome.stderr)")
        #expect(outcome.stdout.contains("settled"), "\(outcome.stdout)")
        #expect(try RetentionTests.isSame(place, through: 20))
    }

    /// A load that stands and is not published, since push.db was in use, does not make a refused command write.
    @Test func aRefusedCommandLeavesPushDBAsItIs() throws {
        let place = try RetentionTests.withOldLogs()
        let range = ["--from", RetentionTests.date(1), "--to", RetentionTests.date(22)]
        #expect(try place.run(["backfill", "-p", "plain.yaml", "--output", "out"] + range).exit == 0)
        let writer = try Database(place.scratch.path("out/push.db"))
        try writer.execute("BEGIN IMMEDIATE")
        let unpublished = try place.run("run", "--date", RetentionTests.date(23), "-p", "push.yaml", "--wait", "0")
        #expect(unpublished.exit == 75, "\(unpublished.stderr)")
        try writer.execute("ROLLBACK")
        writer.close()
        let before = place.scratch.contents("out/push.db")
        let refused = try place.run("backfill", "--give-up", RetentionTests.date(22), "-p", "push.yaml")
        #expect(refused.exit == 64, "\(refused.stderr)")
        #expect(place.scratch.contents("out/push.db") == before)
        let next = try place.run("run", "--date", RetentionTests.date(23), "-p", "plain.yaml", "--output", "out")
        #expect(next.exit == 0, "\(next.stderr)")
        let loads =
            try Database(place.scratch.path("out/push.db")).column(
                "SELECT count(*) FROM loads WHERE log_date = '2026-01-23'") as [Int]
        #expect(loads == [1])
    }
}
