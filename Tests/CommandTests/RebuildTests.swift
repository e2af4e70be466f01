import CSQLite
import Foundation
import SQLite
import Support
import Testing

/// Changes push.db with a collation that pushetl does not know.
private func executeWithCollation(_ sql: String, on path: String) throws {
    let queue = try Connection(path: path)
    try queue.inDatabase { database in
        sqlite3_create_collation(database.handle, "uint", SQLITE_UTF8, nil) { _, count, a, other, b in
            guard let a, let b else { return 0 }
            let order = memcmp(a, b, Int(min(count, other)))
            return order != 0 ? order : count - other
        }
        try database.execute(sql: sql)
    }
    try queue.close()
}

private let cause = "DELETE FROM days;"

extension Workplace {
    fileprivate var database: String { scratch.path("out/push.db") }
    fileprivate var inode: UInt64 {
        get throws {
            let value = try FileManager.default.attributesOfItem(atPath: database)[.systemFileNumber]
            return try #require(value as? NSNumber).uint64Value
        }
    }

    fileprivate func copies() throws -> [String] {
        try scratch.names("out").filter { $0.hasPrefix("push.db.before-") }.sorted()
    }
}

@Suite(.needsPushetl)
struct RebuildTests {
    @Test(arguments: [
        "CREATE TABLE mine (a INTEGER PRIMARY KEY, b TEXT, c AS (a * 2) STORED); INSERT INTO mine (a, b) VALUES (7, 'x')",
        "CREATE TABLE mine (a INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO mine VALUES (5), (9); DELETE FROM mine WHERE a > 5",
        "CREATE TABLE mine (a TEXT PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO mine VALUES ('k', x'00ff')",
        "CREATE TABLE mine (rowid TEXT, b); INSERT INTO mine VALUES ('a', NULL); CREATE UNIQUE INDEX i ON mine (b)",
        "CREATE TABLE mine (a CHECK (a > 0)); PRAGMA ignore_check_constraints = ON; INSERT INTO mine VALUES (-1)",
        "CREATE VIRTUAL TABLE mine USING fts5 (a); INSERT INTO mine VALUES ('hello world')",
        "CREATE TABLE mine (a); CREATE VIEW v AS SELECT * FROM mine JOIN daily_actions; CREATE INDEX i ON daily_funnel (opened)",
        "CREATE TABLE mine (a); CREATE TRIGGER t AFTER INSERT ON mine BEGIN UPDATE mine SET a = 1; END",
        "CREATE TABLE \"my \"\"own\"\" table\" (\"a b\", \"select\"); INSERT INTO \"my \"\"own\"\" table\" VALUES (1, 2)",
        "PRAGMA page_size = 16384; VACUUM; CREATE TABLE mine (a)",
        "PRAGMA journal_mode = WAL; CREATE TABLE mine (a); INSERT INTO mine VALUES (3)",
        "ALTER TABLE outcomes RENAME TO mine",
    ])
    func whatOthersHaveAddedStaysWithAllItsRows(_ sql: String) throws {
        let (place, _) = try Workplace.withTwoDates()
        try execute(sql, on: place.database)
        let objects = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY 1, 2"
        _ = try place.run("run", "--date", "2026-01-01")
        let (content, schema, inode) = (try place.dump(), try place.rows(objects), try place.inode)
        let sequence = "SELECT * FROM sqlite_master, sqlite_sequence WHERE sqlite_master.name = sqlite_sequence.name"
        let numbers = sql.contains("AUTOINCREMENT") ? try place.rows(sequence).count : 0

        try execute(cause, on: place.database)
        let outcome = try place.run("run", "--date", "2026-01-01")
        #expect(outcome.exit == 66)
        #expect(
            warnings(outcome) == [
                "warning: out/push.db: was changed by something else: other rows in table days; it was rebuilt from the "
                    + "partitions"
            ])
        #expect(try place.dump() == content)
        #expect(try place.rows(objects) == schema)
        #expect(try place.inode == inode)
        if sql.contains("AUTOINCREMENT") {
            #expect(try place.rows("SELECT seq FROM sqlite_sequence") == ["9"])
            #expect(numbers == 1)
        }
        #expect(try place.rows("PRAGMA integrity_check(1)").first.map { $0 == "ok" || $0.contains("CHECK") } == true)
        #expect(try place.scratch.names("out").sorted() == ["partitions", "push.db"])
        #expect(try place.run("doctor").exit == 0)
    }

    @Test func aDefinitionOfOthersWithANULByteEndsThere() throws {
        let (place, content) = try Workplace.withTwoDates()
        try execute(
            "CREATE VIEW v AS SELECT 1 AS one; PRAGMA writable_schema = ON; "
                + "UPDATE sqlite_master SET sql = sql || char(0) || 'x' WHERE name = 'v'; \(cause)", on: place.database)
        #expect(try place.run("run", "--date", "2026-01-01").exit == 66)
        #expect(try place.dump() == content)
        #expect(try place.rows("SELECT one FROM v") == ["1"])
    }

    @Test func whatCannotBeCopiedStaysInACopyOfTheFile() throws {
        let (place, content) = try Workplace.withTwoDates()
        try executeWithCollation(
            "CREATE TABLE notes (a); INSERT INTO notes VALUES ('x'); CREATE TABLE mine (a TEXT COLLATE uint);"
                + "INSERT INTO mine VALUES (1); CREATE INDEX i ON notes (a COLLATE uint); \(cause)", on: place.database)
        let outcome = try place.run("run", "--date", "2026-01-01")
        let copy = try #require(place.copies().first)
        #expect(
            warnings(outcome).first?.hasSuffix(
                "it was rebuilt from the partitions; the former file is kept as out/\(copy), and only that has table mine (no "
                    + "such collation sequence: uint), index i (no such collation sequence: uint)") == true)
        #expect(try place.dump(besides: ["notes"]) == content)
        #expect(try place.rows("SELECT a FROM notes") == ["x"])
        #expect(try place.rows("SELECT name FROM sqlite_master WHERE name IN ('mine', 'i')", "out/\(copy)").count == 2)
        #expect(try place.run("doctor").exit == 0)
    }

    @Test func aRowOfTheHistoryWithAValueOfAWrongTypeIsOnlyInTheCopy() throws {
        let (place, content) = try Workplace.withTwoDates()
        try execute("UPDATE runs SET exit_code = 'none' WHERE log_dates = '2026-11-19'", on: place.database)
        let outcome = try place.run("run", "--date", "2026-01-01")
        let copy = try #require(place.copies().first)
        #expect(
            warnings(outcome).first?.hasSuffix(
                "other rows in table runs; it was rebuilt from the partitions; the former file is kept as out/\(copy), and only "
                    + "that has 1 row of table runs") == true)
        #expect(try place.dump() == content)
        #expect(try place.rows("SELECT log_dates FROM runs ORDER BY 1") == ["", "2026-11-20"])
        #expect(try place.rows("SELECT count(*) FROM runs WHERE exit_code = 'none'", "out/\(copy)") == ["1"])
        #expect(try place.run("doctor").exit == 0)
    }

    /// Nothing has to be published here, only a row of `runs` is to be stored.
    @Test func anIndexThatKeepsARowOfTheHistoryOutIsNamed() throws {
        let (place, content) = try Workplace.withTwoDates()
        try execute("CREATE UNIQUE INDEX one_version ON runs (command)", on: place.database)
        // push.db is as this command leaves it.
        #expect(try place.run("run", "--date", "2026-01-01").exit == 66)
        for (count, sentence) in [
            (1, ""),
            (
                2,
                "error: out/push.db: something that others have added to it prevents writing: UNIQUE constraint failed: "
                    + "runs.command (index one_version on runs); nothing is lost: what is loaded stays; drop that, and the "
                    + "next 'run' or 'backfill' publishes it\n"
            ),
        ] {
            try place.scratch.write(String(repeating: "no hit\n", count: count), to: "logs/2026-11-21.log")
            let outcome = try place.run("run", "--date", "2026-11-21")
            #expect(outcome.exit == (count == 1 ? 65 : 74))
            #expect(outcome.stderr.hasPrefix("error: 2026-11-21: held back: "))
            #expect(outcome.stderr.hasSuffix(sentence))
        }
        try execute("DROP INDEX one_version", on: place.database)
        #expect(try place.run("run", "--date", "2026-01-01").exit == 66)
        #expect(
            try place.rows("SELECT exit_code FROM runs WHERE log_dates = '2026-11-21' ORDER BY started_at, 1")
                == ["65", "74"])
        #expect(try place.dump() == content)
    }

    @Test func anIndexThatPushetlCannotWriteStopsItWithASentence() throws {
        let (place, content) = try Workplace.withTwoDates()
        try executeWithCollation(
            "CREATE TABLE notes (a); CREATE INDEX i ON daily_actions (delivery_id COLLATE uint)", on: place.database)
        try place.scratch.write(Workplace.hit("h9,d,7"), to: "logs/2026-11-21.log")
        let outcome = try place.run("run", "--date", "2026-11-21")
        #expect(outcome.exit == 74)
        #expect(
            outcome.stderr == "error: out/push.db: something that others have added to it prevents writing: no such "
                + "collation sequence: uint (index i on daily_actions); nothing is lost: what is loaded stays; drop that, and "
                + "the next 'run' or 'backfill' publishes it\n")
        #expect(try place.rows("SELECT name FROM sqlite_master WHERE name IN ('notes', 'i')").count == 2)
        #expect(try place.dump(besides: ["notes"]) == content)
        let doctor = try place.run("doctor")
        #expect(doctor.exit == 65)
        #expect(
            doctor.stdout.contains(
                "whoever added it must drop it; until then nothing can be published\n    something that others"))
        try execute("DROP INDEX i; DROP TABLE notes", on: place.database)
        #expect(try place.run("run", "--date", "2026-11-21").exit == 0)
        #expect(try place.rows("SELECT count(*) FROM loads") == ["3"])
        #expect(try place.run("doctor").exit == 0)
    }

    @Test(arguments: [
        ("loads (log_date)", "2026-11-20"), ("daily_funnel (arrived)", "2026-11-21"),
        ("delivery_results (arrived)", "2026-11-21"),
    ])
    func aUniqueIndexOfOthersNeitherLosesRowsNorRunsForEver(_ columns: String, _ date: String) throws {
        let (place, content) = try Workplace.withTwoDates()
        try execute("CREATE UNIQUE INDEX u ON \(columns)", on: place.database)
        // A row more, which does not fit the index.
        try place.scratch.write(Workplace.hit("h9,e,7"), to: "logs/\(date).log")
        let outcome = try place.run("run", "--date", date)
        #expect(outcome.exit == 74)
        #expect(outcome.stderr.contains("prevents writing: UNIQUE constraint failed: "))
        #expect(try place.dump() == content)
        try execute("DROP INDEX u", on: place.database)
        #expect(try place.run("run", "--date", "2026-01-01").exit == 66)
        #expect(try place.rows("SELECT sum(messages) FROM daily_funnel WHERE delivery_id = 'e'") == ["1"])
        #expect(try place.run("doctor").exit == 0)
    }

    @Test func countsStoredAsRealNumbersAreRebuilt() throws {
        let (place, content) = try Workplace.withTwoDates()
        try execute("UPDATE daily_actions SET events = events + 0.5 WHERE day = '2026-11-19'", on: place.database)
        #expect(try place.run("doctor").exit == 65)
        #expect(
            try place.run("run", "--date", "2026-01-01").stderr.contains(
                "other rows in table daily_actions (2026-11-19); it was rebuilt"))
        #expect(try place.dump() == content)
        #expect(try place.run("doctor").exit == 0)
    }

    @Test func anOutputInUTF16IsRebuiltInUTF8() throws {
        let (place, content) = try Workplace.withTwoDates()
        try execute("CREATE TABLE notes (a TEXT); INSERT INTO notes VALUES ('Ünï')", on: place.database)
        let former = place.scratch.path("former.db")
        try FileManager.default.moveItem(atPath: place.database, toPath: former)
        let condition = "WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        let tables = try rows("SELECT name FROM sqlite_master \(condition)", of: former)
        let schema = try rows("SELECT sql FROM sqlite_master \(condition)", of: former)
        let queue = try Connection(path: place.database)
        try queue.inDatabase { database in
            try database.execute(sql: "PRAGMA encoding = 'UTF-16'; CREATE TABLE x (y); DROP TABLE x")
            for sql in schema { try database.execute(sql: sql) }
            let source = try Connection(path: former)
            for table in tables {
                for row in try source.read({ try Row.fetchAll($0, sql: "SELECT * FROM \(table)") }) {
                    let values = row.databaseValues
                    try database.execute(
                        sql: "INSERT INTO \(table) VALUES (\(values.map { _ in "?" }.joined(separator: ", ")))",
                        arguments: values)
                }
            }
        }
        try queue.close()
        #expect(try place.rows("PRAGMA encoding") == ["UTF-16le"])
        let outcome = try place.run("run", "--date", "2026-01-01")
        #expect(outcome.stderr.contains("was changed by something else: texts in UTF-16le"))
        #expect(try place.rows("PRAGMA encoding") == ["UTF-8"])
        #expect(try place.rows("SELECT a FROM notes") == ["Ünï"])
        #expect(try place.dump(besides: ["notes"]) == content)
    }

    @Test func aViewWithTheNameOfATableIsRenamed() throws {
        let (place, _) = try Workplace.withTwoDates()
        try execute("ALTER TABLE days RENAME TO mine; CREATE VIEW days AS SELECT day FROM mine", on: place.database)
        let outcome = try place.run("run", "--date", "2026-01-01")
        #expect(
            warnings(outcome).first?.hasSuffix(
                "other columns or another key in table days; it was rebuilt from the partitions; days of others is "
                    + "days_before_5 now") == true)
        let types = "SELECT type FROM sqlite_master WHERE name IN ('days', 'days_before_5') ORDER BY 1"
        #expect(try place.rows(types) == ["table", "view"])
        #expect(try place.rows("SELECT * FROM days_before_5") == place.rows("SELECT day FROM days"))
    }

    @Test func linksAndReadersStay() throws {
        let (place, content) = try Workplace.withTwoDates()
        let target = place.scratch.path("elsewhere.db")
        try FileManager.default.moveItem(atPath: place.database, toPath: target)
        try FileManager.default.createSymbolicLink(atPath: place.database, withDestinationPath: target)
        try FileManager.default.linkItem(atPath: target, toPath: place.scratch.path("hard.db"))
        let reader = try Connection(path: place.scratch.path("hard.db"))
        let days = try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM days") }
        try execute(cause, on: place.database)
        #expect(warnings(try place.run("run", "--date", "2026-01-01")).count == 1)
        #expect(try place.dump() == content)
        #expect(try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM days") } == days)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: place.database) == target)
    }

    @Test func aReaderInTheMiddleOfAReadEndsARebuildWith75() throws {
        let (place, content) = try Workplace.withTwoDates()
        try execute(cause, on: place.database)
        let outcome = try whileRead(place.database) { try place.run("run", "--date", "2026-01-01", "--wait", "1") }
        #expect(outcome.exit == 75)
        #expect(try place.rows("SELECT count(*) FROM days") == ["0"])
        #expect(warnings(try place.run("run", "--date", "2026-01-01")).count == 1)
        #expect(try place.dump() == content)
    }

    @Test(arguments: [cause, ""])
    func aSignalEndsTheWaitForAReader(_ change: String) throws {
        let (place, _) = try Workplace.withTwoDates()
        try execute(change, on: place.database)
        try place.scratch.write(Workplace.hit("h9,d,7"), to: "logs/2026-11-21.log")
        let before = try place.dump()
        let outcome = try whileRead(place.database) {
            let arguments = ["run", "--date", "2026-11-21", "--wait", "60"]
            let running = try place.start(arguments, until: "out/partitions/2026-11-21.sqlite")
            sleep(1)
            running.send(SIGTERM)
            return try running.wait()
        }
        #expect(outcome.exit == 143)
        #expect(try place.dump() == before)
        #expect(try place.run("run", "--date", "2026-11-21").exit == 0)
        #expect(try place.run("doctor").exit == 0)
    }

    @Test func aWriterAtWorkEndsARebuildWith75() throws {
        let (place, content) = try Workplace.withTwoDates()
        try execute(cause, on: place.database)
        let writer = try Connection(path: place.database)
        let outcome = try writer.inDatabase { database in
            try database.execute(sql: "BEGIN IMMEDIATE; CREATE TABLE mine (a); INSERT INTO mine VALUES (1)")
            let outcome = try place.run("run", "--date", "2026-01-01", "--wait", "1")
            try database.execute(sql: "COMMIT")
            return outcome
        }
        #expect(outcome.exit == 75)
        #expect(warnings(try place.run("run", "--date", "2026-01-01")).count == 1)
        #expect(try place.dump(besides: ["mine"]) == content)
        #expect(try place.rows("SELECT a FROM mine") == ["1"])
    }

    @Test func aFourthCopyIsNotMade() throws {
        let (place, content) = try Workplace.withTwoDates()
        let text = String(repeating: "notes\n", count: 300)
        for number in 1...3 {
            try place.scratch.write("\(number)\(text)", to: "out/push.db")
            let outcome = try place.run("run", "--date", "2026-01-01")
            #expect(outcome.exit == 66)
            #expect(try place.copies().count == number)
            // Two copies of one second would have the same name.
            sleep(1)
        }
        // The bytes of the third are kept already.
        try place.scratch.write("3\(text)", to: "out/push.db")
        #expect(try place.run("run", "--date", "2026-01-01").exit == 66)
        #expect(try place.copies().count == 3)
        try place.scratch.write("4\(text)", to: "out/push.db")
        let outcome = try place.run("run", "--date", "2026-01-01")
        #expect(outcome.exit == 74)
        let copies = try place.copies().map { "out/\($0)" }
        let sentence =
            "error: out/push.db: must be rebuilt, and a copy of it must be kept first; there are 3 already: "
            + copies.joined(separator: ", ") + "; move one away and run again\n"
        #expect(outcome.stderr.hasSuffix(sentence))
        #expect(place.bytes("out/push.db") == Data("4\(text)".utf8))
        try place.scratch.remove(copies[0])
        #expect(try place.run("run", "--date", "2026-01-01").exit == 66)
        #expect(try place.dump() == content)
    }

    @Test func whatDoctorFindsIsRebuiltByTheNextRun() throws {
        let (place, content) = try Workplace.withTwoDates()
        // Without what is kept, nothing says what the last command left.
        try place.scratch.remove("out/partitions/.kept")
        try execute("UPDATE daily_funnel SET messages = messages + 1", on: place.database)
        let doctor = try place.run("doctor")
        #expect(doctor.exit == 65)
        #expect(doctor.stdout.contains("the next 'run' or 'backfill' rebuilds push.db"))
        #expect(warnings(try place.run("run", "--date", "2026-01-01")).count == 1)
        #expect(try place.dump() == content)
        #expect(try place.run("doctor").exit == 0)
    }

    @Test func whatIsInThePlaceOfPushDBAndIsNoFileIsLeft() throws {
        let (place, _) = try Workplace.withTwoDates()
        let sentence =
            "out/push.db: open failed: it is a FIFO, a socket or a device, and no file; nothing is lost; fix that and run "
            + "again\n"
        try place.scratch.remove("out/push.db")
        mkfifo(place.database, 0o600)
        for command in [["run", "--date", "2026-11-19"], ["status"], ["doctor"], ["report"]] {
            let outcome = try place.run(command)
            #expect(outcome.exit == 74, "\(command)")
            #expect(outcome.stderr.hasSuffix(sentence), "\(command)")
        }
    }
}
