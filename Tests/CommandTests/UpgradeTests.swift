import Foundation
import Reference
import Support
import Testing

/// Outputs that earlier versions of the program wrote. `RepairTests` has one of schema 1.
@Suite(.enabled(if: Program.built != nil, "pushetl is not built beside the tests"))
struct UpgradeTests {
    private let date = "2026-11-19"
    private let pipeline = Workplace.onePipeline.replacing("%Y-%m-%d.log", with: "%Y-%m-%d/*")
    private let message =
        "warning: out/push.db: was written by an earlier pushetl (schema 2); it was made anew from the partitions\n"

    private func fixture(_ name: String) throws -> Bytes {
        let folder = Workplace.packageFolder.appendingPathComponent("Tests/Fixtures/schema3")
        return Bytes(try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    /// An output whose logs are gone. The last program with partitions of schema 3 made it.
    private func output() throws -> Workplace {
        let place = try Workplace.withHits([], pipeline: pipeline)
        try place.scratch.write(Unpacked(fixture("push.db.gz")).text, to: "out/push.db")
        try place.scratch.write(Unpacked(fixture("\(date).sqlite.gz")).text, to: "out/partitions/\(date).sqlite")
        return place
    }

    /// The figures that a load of the same logs makes now.
    private func figures() throws -> [String] {
        let place = try Workplace.withHits([], pipeline: pipeline)
        for name in ["a.log", "b.log.gz"] { try place.scratch.write(fixture(name), to: "logs/\(date)/\(name)") }
        #expect(try place.run("run", "--date", date).exit == 0)
        return try place.dump(besides: ["publication"])
    }

    @Test func theNextCommandThatMayWriteMakesItAnewAndSaysSo() throws {
        let place = try output()
        let before = try #require(place.bytes("out/push.db"))
        // A command that only reads leaves it as it is.
        #expect(try place.run("status").stdout.contains("2026-11"))
        #expect(place.bytes("out/push.db") == before)
        #expect(try place.run("run", "--date", "2026-01-01").stderr.contains(message))
        #expect(try place.dump(besides: ["publication"]) == figures())
        #expect(try place.rows("SELECT value FROM about WHERE key = 'schema_version'") == ["4"])
        #expect(try place.rows("PRAGMA user_version", "out/partitions/\(date).sqlite") == ["3"])
        #expect(try !place.run("run", "--date", "2026-01-01").stderr.contains("push.db"))
    }

    @Test func whatOthersHaveAddedStays() throws {
        let place = try output()
        try execute(
            "CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine'); CREATE INDEX by_open ON daily_funnel (opened)",
            on: place.scratch.path("out/push.db"))
        #expect(try place.run("run", "--date", "2026-01-01").stderr.contains(message))
        #expect(try place.rows("SELECT * FROM notes") == ["mine"])
        #expect(
            try place.rows("SELECT name FROM sqlite_master WHERE type = 'index' ORDER BY 1") == ["by_open"])
        #expect(try place.rows("SELECT count(*) FROM runs WHERE log_dates <> ''") == ["1"])
    }
    @Test func whatHasTheNameOfANewTableIsRenamed() throws {
        let place = try output()
        try execute(
            "CREATE TABLE calendar (text); INSERT INTO calendar VALUES ('mine'); CREATE INDEX by_text ON calendar (text);"
                + "CREATE VIEW about AS SELECT text FROM calendar;"
                + "CREATE VIEW indexed AS SELECT * FROM daily_actions INDEXED BY daily_actions_by_delivery_id;"
                + "CREATE VIEW times AS SELECT first_at FROM daily_actions",
            on: place.scratch.path("out/push.db"))
        let outcome = try place.run("run", "--date", "2026-01-01")
        let renamed =
            "; calendar of others is calendar_before_4 now; about of others is about_before_4 now; views that no longer fit the "
            + "tables: about_before_4, indexed, times\n"
        #expect(outcome.stderr.contains(message.dropLast() + renamed))
        #expect(try place.rows("SELECT * FROM calendar_before_4") == ["mine"])
        let tables = "SELECT tbl_name FROM sqlite_master WHERE name = 'by_text'"
        #expect(try place.rows(tables) == ["calendar_before_4"])
        let views = "SELECT count(*) FROM sqlite_master WHERE name IN ('about_before_4', 'indexed', 'times')"
        #expect(try place.rows(views) == ["3"])
        let others: Set = ["publication", "calendar_before_4"]
        #expect(try place.dump(besides: others) == figures())
        #expect(try place.scratch.names("out").sorted() == ["partitions", "push.db"])
    }
}
