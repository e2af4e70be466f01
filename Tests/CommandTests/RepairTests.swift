import Foundation
import Reference
import Support
import Testing

@Suite(.needsPushetl)
struct RepairTests {
    // The last programs with partitions of these schemas made Tests/Fixtures/schema2, schema5 and schema6 from the lines below.
    @Test(arguments: [(output: 1, partitions: 2), (3, 5), (4, 6)], [true, false])
    func anOutputOfAnOldSchemaIsMadeAnewFromItsPartitions(
        _ schema: (output: Int, partitions: Int), _ areLogsThere: Bool
    ) throws {
        func hit(_ id: String, _ day: Int, _ time: String) -> String {
            "192.0.2.1 - - [\(day)/Nov/2026:\(time) +0000] \"GET /r/?id=\(id) HTTP/1.1\" 200 0 \"-\" \"-\"\n"
        }
        let lines = [hit("h1,d,7", 19, "10:00:00"), hit("h2,d,7", 19, "10:00:01"), hit("h2,d,1", 19, "10:00:02")]
        let logs = [
            "2026-11-19": Array(repeating: lines.joined(), count: 7).joined() + hit("zz", 19, "10:00:03"),
            "2026-11-20": hit("h1,d,7", 20, "10:00:00") + hit("h3,d,2", 20, "10:00:01"),
        ]
        let place = try Workplace.withHits([])
        for (date, text) in logs { try place.scratch.write(text, to: "logs/\(date).log") }
        #expect(try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-20").exit == 0)
        // The table `publication` has versions of partitions, which differ from one version of the program to another.
        func figures() throws -> [String] { try place.dump(besides: ["publication"]) }
        let fresh = try figures()
        try place.scratch.remove("out")

        for (name, folder) in [
            ("push.db", ""), ("2026-11-19.sqlite", "partitions/"), ("2026-11-20.sqlite", "partitions/"),
        ] {
            let fixtures = "Tests/Fixtures/schema\(schema.partitions)"
            let packed = Workplace.packageFolder.appendingPathComponent("\(fixtures)/\(name).gz")
            try place.scratch.write(Unpacked([UInt8](Data(contentsOf: packed))).text, to: "out/\(folder)\(name)")
        }
        #expect(try figures() != fresh)
        if !areLogsThere { try place.scratch.remove("logs") }
        let rejects = try place.run("rejects")
        #expect(rejects.exit == 0)
        #expect(rejects.stdout.hasPrefix("logs/2026-11-19.log:22: malformed_id: *** - - [19/Nov/2026"))
        let outcome = try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-20")
        #expect(outcome.exit == (areLogsThere ? 0 : 66))
        let upgraded =
            "warning: out/push.db: was written by an earlier pushetl (schema \(schema.output)); it was made anew from the "
            + "partitions\n"
        #expect(outcome.stderr.contains(upgraded))
        if areLogsThere {
            #expect(outcome.stderr == upgraded)
            #expect(outcome.stdout.contains("nothing to load\n  up to date       2\n"))
            #expect(try place.run("status").stdout.contains("CC"))
        }
        #expect(try figures() == fresh)
        #expect(try place.rows("SELECT log_dates FROM runs ORDER BY 1") == ["", "2026-11-19", "2026-11-20"])
        #expect(try place.rows("PRAGMA user_version") == ["5"])
        #expect(
            try place.rows("PRAGMA user_version", "out/partitions/2026-11-19.sqlite") == ["\(schema.partitions)"])
        #expect(try place.rows("SELECT name FROM sqlite_master WHERE type = 'index'").isEmpty)
        // What the partitions lack was counted from their events, and is kept.
        let kept = try #require(place.bytes("out/partitions/.kept/2026-11-19.shared"))
        let again = try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-20")
        #expect(!again.stderr.contains("push.db"))
        #expect(place.bytes("out/partitions/.kept/2026-11-19.shared") == kept)
        #expect(try figures() == fresh)
    }
}
