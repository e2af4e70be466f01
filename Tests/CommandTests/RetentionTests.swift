import Foundation
import Reference
import Support
import Testing

/// Old log dates in outputs that Spark has written to. The random histories compare figures
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
        let left = "shards/0/partitions/2026-01-05.\(String(repeating: "0", count: 32)).sqlite"
        try place.scratch.write("ids", to: "out/\(left)")
        let found = try place.run("doctor")
        #expect(found.exit == 65)
        #expect(found.stdout.contains("\(left) holds ids of a log date whose ids are to be erased"), "\(found.stdout)")
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
            #expect(names.filter { $0.hasSuffix(".shared") }.allSatisfy { $0 > "2026-01-13" })
        }
    }
}
