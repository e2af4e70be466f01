import CSQLite
import SQLite
import Support
import Testing

struct StatementTests {
    let opened = Result { try Database(":memory:") }

    private func numbers(_ sql: String) throws -> [Int] { try opened.get().column(sql) }

    @Test(arguments: [
        ("CREATE TABLE a (x); INSERT INTO a VALUES (1); INSERT INTO a VALUES (2)", [1, 2]),
        ("CREATE TABLE a (x);\n-- a comment\nINSERT INTO a VALUES (1);\n\n", [1]),
        ("CREATE TABLE a (x); /* ; */ INSERT INTO a VALUES (';' = ';') -- the end", [1]),
        ("CREATE TABLE a (x);\u{0}INSERT INTO a VALUES (1)", []),
        ("CREATE TABLE a (x);;;", []),
    ])
    func allStatementsOfATextAreExecuted(_ sql: String, _ rows: [Int]) throws {
        try opened.get().execute(sql)
        #expect(try numbers("SELECT x FROM a") == rows)
    }

    @Test func anErrorSaysWhichStatementFailed() throws {
        let database = try opened.get()
        let error = #expect(throws: DatabaseError.self) {
            try database.execute("CREATE TABLE a (x UNIQUE); INSERT INTO a VALUES (1), (1); DROP TABLE a")
        }
        #expect(error?.kind == .constraint)
        #expect(error?.message == "UNIQUE constraint failed: a.x")
        #expect(error?.sql?.contains("INSERT INTO a VALUES (1), (1)") == true)
        #expect(try numbers("SELECT count(*) FROM a") == [0])
    }

    @Test func aValueIsMissingOrTooMany() throws {
        let database = try opened.get()
        for values in [[1], [1, 2, 3]] {
            let error = #expect(throws: DatabaseError.self) {
                try database.hasRow("SELECT ? + ?", binding: values.map(\.databaseValue))
            }
            #expect(error?.code == SQLITE_MISUSE)
        }
        #expect(try database.value("SELECT ? + ?", binding: .of(1, 2)) == 3)
    }

    @Test(arguments: [
        DatabaseValue.null, .int64(.min), .int64(0), .double(0.1), .double(1), .string(""), .string("a\u{0}é"),
        .blob([]), .blob([0, 255]),
    ])
    func aValueComesBackAsItWasBound(_ value: DatabaseValue) throws {
        #expect(try opened.get().rows("SELECT ?", binding: [value]) { $0.values } == [[value]])
    }

    @Test func aValueOfAnotherTypeNamesItsColumnAndTable() throws {
        let database = try opened.get()
        for value in ["'1'", "1.0", "NULL", "x'31'"] {
            try database.execute("DROP TABLE IF EXISTS days; CREATE TABLE days AS SELECT \(value) AS events")
            let error = #expect(throws: ValueError.self) {
                try database.forEach("SELECT events FROM days") { _ = try $0.read(0) as Int }
            }
            #expect(error?.description == "a value of 'events' is not an integer")
            #expect(error?.sql == "SELECT events FROM days")
        }
    }

    @Test func aValueOfTheTypeIsRead() throws {
        let row = try opened.get().prepare("SELECT 7, 'a', x'01', NULL, 0.5")
        #expect(try row.next())
        #expect(try row.read(0) == 7 && row.read(0) == 7.0 && row.read(0) == Optional(7))
        #expect(try row.read(1) == "a" && row.read(2) == [UInt8(1)] && row.read(3) == Int?.none && row.read(4) == 0.5)
        for column in [1, 2, 4] {
            #expect(throws: ValueError.self) { try row.read(column) as Int? }
        }
    }

    @Test func aTransactionThatFailsIsUndone() throws {
        let database = try opened.get()
        try database.execute("CREATE TABLE a (x UNIQUE ON CONFLICT ROLLBACK)")
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try database.transaction {
                try database.execute("INSERT INTO a VALUES (1)")
                throw Failure()
            }
        }
        // Here SQLite has ended the transaction itself.
        #expect(throws: DatabaseError.self) {
            try database.transaction { try database.execute("INSERT INTO a VALUES (1); INSERT INTO a VALUES (1)") }
        }
        #expect(try numbers("SELECT count(*) FROM a") == [0])
    }

    @Test func aLockedDatabaseIsAskedForUntilTheHandlerGivesUp() throws {
        let scratch = try ScratchFolder()
        let path = scratch.path("a.sqlite")
        let holder = try Database(path)
        try holder.execute("CREATE TABLE a (x); BEGIN EXCLUSIVE")
        var asked: [Int] = []
        for waiting in [
            try Database(path),
            try Database(path) { count in
                asked.append(count)
                return count < 3
            },
        ] {
            let error = #expect(throws: DatabaseError.self) { try waiting.hasRow("SELECT x FROM a") }
            #expect(error?.kind == .busy)
        }
        #expect(asked == [0, 1, 2, 3])
        holder.close()
        #expect(try !Database(path).hasRow("SELECT x FROM a"))
    }

    /// A value that is bound again is not copied again; texts that Swift takes for equal are other texts.
    @Test func eachRowGetsItsOwnBytes() throws {
        let scratch = try ScratchFolder()
        let database = try Database(scratch.path("a.sqlite"))
        try database.execute("CREATE TABLE a (x)")
        let insertion = try database.prepare("INSERT INTO a VALUES (?)")
        let values: [DatabaseValue] = [
            .string("\u{e9}"), .string("e\u{301}"), .string("q\u{307}\u{323}"), .string("q\u{323}\u{307}"), .null,
            .null,
            .int64(1), .int64(1), .double(1), .double(0), .double(-0.0), .string("1"), .blob([49]), .blob([]),
            .string(""),
            .string("a\0b"), .string("a\0c"),
        ]
        for value in values { try insertion.execute([value]) }
        let found: [String] = try database.column("SELECT quote(CAST(x AS BLOB)) || typeof(x) FROM a ORDER BY rowid")
        #expect(
            found == [
                "X'C3A9'text", "X'65CC81'text", "X'71CC87CCA3'text", "X'71CCA3CC87'text", "NULLnull", "NULLnull",
                "X'31'integer",
                "X'31'integer", "X'312E30'real", "X'302E30'real", "X'302E30'real", "X'31'text", "X'31'blob", "X''blob",
                "X''text",
                "X'610062'text", "X'610063'text",
            ])
    }
}
