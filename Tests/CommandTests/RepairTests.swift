import Foundation
import Reference
import Support
import Testing

extension Workplace {
    /// Two loaded log dates, and the content of their push.db.
    static func withTwoDates() throws -> (Workplace, content: [String]) {
        let place = try withHits([hit("h1,d,7"), hit("h2,d,1"), hit("zz")] + more)
        try place.scratch.write((hit("h1,d,7") + "\n" + hit("h3,d,2")), to: "logs/2026-11-20.log")
        for date in ["2026-11-19", "2026-11-20"] { #expect(try place.run("run", "--date", date).exit == 0) }
        return (place, try place.dump())
    }
}

private let more = (10..<40).map { Workplace.hit("h\($0),d,7") }

/// The warnings about push.db.
func warnings(_ outcome: Program.Outcome) -> [Substring] {
    outcome.stderr.split(separator: "\n").filter { $0.hasPrefix("warning: ") && $0.contains("out/push.db: ") }
}

@Suite(.needsPushetl)
struct RepairTests {
    @Test(arguments: [
        (
            "UPDATE daily_actions SET events = 100 WHERE action = 'open'",
            "other rows in table daily_actions (2026-11-19)"
        ),
        ("DELETE FROM days", "other rows in table days"),
        ("DROP TABLE outcomes", "no table outcomes"),
        ("ALTER TABLE daily_actions DROP COLUMN duplicates", "other columns or another key in table daily_actions"),
        ("ALTER TABLE files ADD COLUMN note TEXT", "other columns or another key in table files"),
        ("PRAGMA application_id = 5", "another value of application_id"),
        ("PRAGMA journal_mode = WAL", "another value of journal_mode"),
    ])
    func aChangedOutputIsReportedAndRepaired(_ sql: String, _ fault: String) throws {
        let (place, content) = try Workplace.withTwoDates()
        try execute(sql, on: place.scratch.path("out/push.db"))
        let outcome = try place.run("run", "--date", "2026-01-01")
        #expect(outcome.exit == 66)
        let prefix = "warning: out/push.db: was changed by something else: "
        let isSetting = sql.hasPrefix("PRAGMA")
        #expect(
            warnings(outcome).first?.hasPrefix(
                "\(prefix)\(fault); \(isSetting ? "that was set back" : "it was rebuilt from the partitions")") == true)
        #expect(warnings(outcome).count == 1)
        let copies = try place.scratch.names("out").filter { $0.hasPrefix("push.db.") }
        // Only that column cannot be computed again.
        #expect(copies.count == (sql.contains("ADD COLUMN note") ? 1 : 0))
        if let copy = copies.first {
            #expect(
                outcome.stderr.contains(
                    "; the former file is kept as out/\(copy), and only that has column files.note\n"))
        }
        #expect(try place.dump() == content)
        #expect(try place.rows("PRAGMA application_id") == ["\(0x7075_4442)"])
        #expect(try place.rows("PRAGMA journal_mode") == ["delete"])
        #expect(try place.rows("SELECT count(*) FROM runs") == ["3"])
        #expect(warnings(try place.run("run", "--date", "2026-01-01")).isEmpty)
    }

    @Test func aBackfillWithNothingToLoadRepairsTheOutput() throws {
        let (place, content) = try Workplace.withTwoDates()
        try execute("UPDATE daily_funnel SET opened = 0", on: place.scratch.path("out/push.db"))
        let outcome = try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-20")
        #expect(outcome.exit == 0)
        #expect(warnings(outcome).count == 1)
        #expect(try place.dump() == content)
    }

    @Test func foreignTablesViewsAndIndexesStayAndForeignTriggersAreRemoved() throws {
        let (place, _) = try Workplace.withTwoDates()
        let database = place.scratch.path("out/push.db")
        let added = """
            CREATE TABLE notes (day TEXT); INSERT INTO notes VALUES ('x'); CREATE INDEX notes_by_day ON notes (day);
            CREATE VIEW opens AS SELECT * FROM daily_actions WHERE action = 'open';
            CREATE INDEX by_events ON daily_actions (events);
            """
        try execute(added, on: database)
        let before = try dump(database)
        #expect(warnings(try place.run("run", "--date", "2026-01-01")).isEmpty)
        try execute(
            "CREATE TRIGGER spy AFTER INSERT ON daily_actions BEGIN INSERT INTO notes VALUES ('y'); END;"
                + "UPDATE daily_actions SET events = 9", on: database)
        let outcome = try place.run("run", "--date", "2026-01-01")
        let trigger = "CREATE TRIGGER spy AFTER INSERT ON daily_actions BEGIN INSERT INTO notes VALUES ('y'); END"
        let copy = try #require(try place.scratch.names("out").first { $0.hasPrefix("push.db.before-") })
        #expect(
            outcome.stderr.contains(
                "other rows in table daily_actions (2026-11-19), trigger spy on one of its tables; it was "
                    + "rebuilt from the partitions; the former file is kept as out/\(copy), and only that has trigger spy "
                    + "(\(trigger))\n"))
        #expect(try dump(database) == before)
        let names =
            "SELECT name FROM sqlite_master WHERE name IN ('notes', 'notes_by_day', 'opens', 'by_events', 'spy')"
        #expect(try Set(place.rows(names)) == ["notes", "notes_by_day", "opens", "by_events"])
    }

    @Test func aDamagedPageCostsNothingOfOthers() throws {
        let (place, content) = try Workplace.withTwoDates()
        let database = place.scratch.path("out/push.db")
        let added = "CREATE TABLE notes (day TEXT); INSERT INTO notes VALUES ('x'); CREATE VIEW opens AS SELECT 1"
        try execute(added, on: database)
        #expect(warnings(try place.run("run", "--date", "2026-01-01")).isEmpty)
        let before = try dump(database)
        // This page becomes invalid. The other tables can still be read.
        let pages = try place.rows("SELECT rootpage FROM sqlite_master WHERE name = 'days'")
        let root = try #require(pages.first.flatMap { Int($0) })
        var bytes = try #require(place.bytes("out/push.db"))
        bytes[(root - 1) * 4096] = 77
        try place.scratch.write(bytes, to: "out/push.db")
        let outcome = try place.run("run", "--date", "2026-01-01")
        #expect(warnings(outcome).count == 1)
        #expect(outcome.stderr.contains("was changed by something else: damage ("))
        #expect(try dump(database) == before)
        #expect(before != content)
        #expect(try place.rows("SELECT log_dates FROM runs ORDER BY 1") == ["", "2026-11-19", "2026-11-20"])
        #expect(try place.rows("SELECT log_date FROM loads ORDER BY 1") == ["2026-11-19", "2026-11-20"])
    }

    @Test(arguments: [("", 1), ("x", 1), ("notes ", 3000), ("\0", 40_960)])
    func anOverwrittenOutputIsRebuilt(_ piece: String, times: Int) throws {
        let text = String(repeating: piece, count: times)
        let (place, content) = try Workplace.withTwoDates()
        try place.scratch.write(text, to: "out/push.db")
        let outcome = try place.run("run", "--date", "2026-01-01")
        #expect(outcome.exit == 66)
        let copy = try place.scratch.names("out").first { $0.hasPrefix("push.db.before-") }
        let kept = copy.map { "; the former file is kept as out/\($0), since it could not be read" } ?? ""
        #expect(
            warnings(outcome) == [
                "warning: out/push.db: was changed by something else: damage (it is "
                    + "\(text == "" ? "empty" : "not a SQLite database")); it was rebuilt from the partitions\(kept)"
            ])
        #expect((copy == nil) == (text == ""))
        if let copy { #expect(place.bytes("out/\(copy)") == Data(text.utf8)) }
        #expect(try place.dump() == content)
        #expect(try place.scratch.names("out").count == (copy == nil ? 2 : 3))
    }

    @Test func loadingANewDateRebuildsATruncatedOutput() throws {
        let (place, _) = try Workplace.withTwoDates()
        let (other, _) = try Workplace.withTwoDates()
        for place in [place, other] {
            try place.scratch.write(Workplace.hit("h9,d,7"), to: "logs/2026-11-21.log")
        }
        try other.scratch.remove("out/partitions/.kept")
        let bytes = try #require(place.bytes("out/push.db"))
        try place.scratch.write(bytes.prefix(9000), to: "out/push.db")
        #expect(warnings(try place.run("run", "--date", "2026-11-21")).count == 1)
        #expect(warnings(try other.run("run", "--date", "2026-11-21")).isEmpty)
        #expect(try place.dump() == other.dump())
    }

    @Test(arguments: [
        "UPDATE daily_actions SET events = 100", "DELETE FROM files", "UPDATE days SET messages = 7",
        "UPDATE columns_help SET description = ''", "UPDATE partitions SET records = 0",
    ])
    func withoutTheKeptFilesTheOutputIsComparedWithThePartitions(_ sql: String) throws {
        let (place, content) = try Workplace.withTwoDates()
        try place.scratch.remove("out/partitions/.kept")
        #expect(warnings(try place.run("run", "--date", "2026-01-01")).isEmpty)
        try place.scratch.remove("out/partitions/.kept")
        try execute(sql, on: place.scratch.path("out/push.db"))
        #expect(warnings(try place.run("run", "--date", "2026-01-01")).count == 1)
        #expect(try place.dump() == content)
    }

    @Test func aCopiedOutputCausesNoWarning() throws {
        let (place, content) = try Workplace.withTwoDates()
        try FileManager.default.copyItem(atPath: place.scratch.path("out"), toPath: place.scratch.path("copy"))
        let bytes = try #require(place.bytes("copy/push.db"))
        let outcome = try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-20", "--output", "copy")
        #expect(outcome.stderr == "")
        #expect(place.bytes("copy/push.db") == bytes)
        #expect(try place.dump("copy/push.db") == content)
    }

    @Test func editedHistoryIsReportedAndKept() throws {
        let (place, content) = try Workplace.withTwoDates()
        try execute("UPDATE runs SET records = 1; DELETE FROM loads", on: place.scratch.path("out/push.db"))
        let outcome = try place.run("run", "--date", "2026-01-01")
        #expect(
            outcome.stderr.contains(
                "other rows in table loads, other rows in table runs; it was rebuilt from the partitions\n"))
        #expect(try place.dump() == content)
        #expect(try place.rows("SELECT records FROM runs WHERE log_dates <> ''") == ["1", "1"])
    }

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
