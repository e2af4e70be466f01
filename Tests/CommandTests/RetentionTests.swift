import Foundation
import Reference
import Support
import Testing

/// Old log dates in outputs that other versions, Spark or other programs have written to. The random histories compare figures
/// and search for ids, and `retention.md` has what commands say.
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
            limits: {volume: off}
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

    @Test func aDamagedPartitionOfAClosedDateIsLoadedFromItsFormerFiles() throws {
        let place = try RetentionTests.withOldLogs()
        #expect(try place.run("backfill", "--from", "2026-01-01", "--to", "2026-01-20", "--settle").exit == 0)
        try place.scratch.write("junk", to: "out/partitions/2026-01-12.sqlite")
        #expect(try place.run("run", "--date", "2026-01-21").exit == 74)
        #expect(try place.run("backfill", "--from", "2026-01-12", "--to", "2026-01-12").exit == 0)
        #expect(try RetentionTests.isSame(place, through: 21))
    }

    @Test func whatOnlyBeginsOrEndsLikeAFileOfOursIsLeftAlone() throws {
        let place = try RetentionTests.withOldLogs()
        let range = ["--from", "2026-01-01", "--to", "2026-01-18"]
        #expect(try place.run(["backfill", "-p", "plain.yaml", "--output", "out"] + range).exit == 0)
        let others = [
            "partitions/2026-01-01.sqlite.gpg", "partitions/2026-01-01.backup/notes",
            "partitions/2026-01-01.old.sqlite",
            "partitions/2026-01-01.txt", "partitions/.notes.tmp", "partitions/.2026-01-01.sqlite.tmp",
            "partitions/2026-01-01.json.bak", "partitions/2026-01-01.settled.sqlite.gpg", "partitions/.run.notes-2.tmp",
            "partitions/.kept/2026-01-01.figures.bak", "partitions/.kept/mine.figures", "partitions/.kept/copy.damage",
            "partitions/.kept/.mine.tmp", "partitions/.kept.old/2026-01-01.figures",
            "partitions/.held/2026-01-01.jsonl.gpg", "partitions/.held/notes.jsonl", "partitions/.held/.x.tmp",
            ".push.db.old.tmp", ".deliveries.csv.mine.tmp", ".push.db.pushetl-notes.tmp", "push.db.before-migration",
            "push.db.before-2025", "push.db.before-20260101T000000Z.gz", "shards/notes",
        ]
        for name in others { try place.scratch.write("mine", to: "out/\(name)") }
        let leftovers = [
            ".push.db.tmp", ".deliveries.csv.pushetl-1a2b.tmp", "partitions/.2026-01-01.sqlite.4711-beef.tmp",
            "partitions/.run.aB3x9Z.tmp", "partitions/.closed.pushetl-8c41f0d2b7e6935a.tmp",
            "partitions/.held/.2026-01-01.jsonl.pushetl-1.tmp", "partitions/.kept/.push.digests.pushetl-2.tmp",
        ]
        for name in leftovers { try place.scratch.write("ours", to: "out/\(name)") }
        for day in 19...21 {
            let night = try place.run(["run", "--date", RetentionTests.date(day)] + (day == 19 ? ["--settle"] : []))
            #expect(night.exit == 0, "\(night)")
            #expect(night.stderr == "")
        }
        #expect(!place.scratch.exists("out/partitions/2026-01-01.sqlite"))
        for name in others { #expect(try place.scratch.text("out/\(name)") == "mine", "\(name)") }
        for name in leftovers { #expect(!place.scratch.exists("out/\(name)"), "\(name)") }
        for command in [["status"], ["doctor"], ["rejects"], ["explain", "h121"]] {
            #expect(try place.run(command).exit == 0, "\(command)")
        }
        // Copies of push.db of others are no copies of ours, of which there are at most three.
        try place.scratch.write("no database", to: "out/push.db")
        #expect(try place.run("run", "--date", "2026-01-21").exit == 0)
        for name in others { #expect(try place.scratch.text("out/\(name)") == "mine", "\(name)") }
    }

    /// Partitions of all schemas settle with all columns, which are counted from their events.
    @Test(.needs(.faketime), arguments: [2, 3, 5, 6])
    func whatEarlierVersionsLoadedSettlesToo(schema: Int) throws {
        let faketime = Program(executable: URL(fileURLWithPath: try #require(Tool.faketime.path)))
        let fixtures = Workplace.packageFolder.appendingPathComponent("Tests/Fixtures/schema\(schema)")
        let names = try FileManager.default.contentsOfDirectory(atPath: fixtures.path).filter {
            $0.hasSuffix(".sqlite.gz")
        }
        var dumps: [[String]] = []
        for retention in ["", "retention: {ids: 8}\n"] {
            let place = try Workplace.withHits(
                [],
                pipeline: Workplace.onePipeline.replacing("%d.log", with: "%d.txt").replacing(
                    "sources:", with: "dedup: {window_days: 0}\n\(retention)sources:"))
            for name in names + ["push.db.gz"] {
                let packed = Bytes(try Data(contentsOf: fixtures.appendingPathComponent(name)))
                let path = (name == "push.db.gz" ? "out/" : "out/partitions/") + name.dropLast(3)
                try place.scratch.write(Unpacked(packed).text, to: path)
            }
            let line = Workplace.hit("h1,d1,7").replacing("19/Nov/2026", with: "01/Jan/2027")
            try place.scratch.write(line + "\n", to: "logs/2027-01-01.txt")
            let outcome = try faketime.run(
                [
                    "-m", "--exclude-monotonic", "-f", "@2027-01-02 10:00:00", place.program.executable.path, "run",
                    "--date", "2027-01-01", "--settle", "--quiet",
                ].filter { !retention.isEmpty || $0 != "--settle" }, in: place.scratch.url,
                environment: ["PUSHETL_PIPELINE": "push.yaml", "NO_FAKE_STAT": "1", "TZ": "UTC"])
            #expect(outcome.exit == 0, "\(outcome.stderr)")
            dumps.append(try place.dump(besides: ["publication"]))
            let partitions = try FileManager.default.contentsOfDirectory(atPath: place.scratch.path("out/partitions"))
            #expect(partitions.count { $0.hasSuffix(".settled.sqlite") } == (retention.isEmpty ? 0 : names.count))
            #expect(partitions.contains("2026-11-19.sqlite") == retention.isEmpty)
        }
        #expect(dumps[0] == dumps[1])
    }

    @Test func aJobOnShardsSettlesTheSame() throws {
        let place = try RetentionTests.withOldLogs()
        func job(_ arguments: String...) throws -> Program.Outcome {
            try SparkJob(place.program, in: place.scratch.url).run(arguments + ["--shards", "3", "-p", "push.yaml"])
        }
        let outcome = try job("--from", "2026-01-01", "--to", "2026-01-20", "--settle")
        #expect(outcome.exit == 0, "\(outcome.stderr)")
        #expect(outcome.stdout.contains("  settled         11  2026-01-01 to 2026-01-11\n"), "\(outcome.stdout)")
        #expect(try RetentionTests.isSame(place, through: 20))
        #expect(!place.scratch.exists("out/partitions/2026-01-10.json"))
        let others = [
            "partitions/2026-01-20.backup.sqlite", "shards/0/partitions/2026-01-12.sqlite.gpg",
            "shards/0/partitions/2026-01-12.backup/notes", "shards/0/partitions/notes.tmp",
            "shards/007/partitions/notes",
        ]
        for name in others { try place.scratch.write("mine", to: "out/\(name)") }
        for day in 21...23 {
            let outcome = try job("--date", RetentionTests.date(day))
            #expect(outcome.exit == 0, "\(outcome.stderr)")
            #expect(
                outcome.stdout.contains("  ids erased       1  \(RetentionTests.date(day - 10))\n"), "\(outcome.stdout)"
            )
            #expect(try RetentionTests.isSame(place, through: day))
        }
        for name in others { #expect(try place.scratch.text("out/\(name)") == "mine", "\(name)") }
        let doctor = try place.run("doctor")
        #expect(doctor.exit == 0, "\(doctor.stdout)")
        for shard in 0..<3 {
            let names = try place.scratch.names("out/shards/\(shard)/partitions")
            #expect(names.filter { $0.hasSuffix(".sqlite") }.count == 10)
            #expect(names.filter { $0.hasPrefix(".kept.") }.count == 1)
        }
    }
}
