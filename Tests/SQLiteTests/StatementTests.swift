import SQLite
import Support
import Testing

struct StatementTests {
    let database = Result { try Connection(path: ":memory:") }

    private func numbers(_ sql: String) throws -> [Int] {
        try database.get().inDatabase { try Int.fetchAll($0, sql: sql) }
    }

    @Test(arguments: [
        ("CREATE TABLE a (x); INSERT INTO a VALUES (1); INSERT INTO a VALUES (2)", [1, 2]),
        ("CREATE TABLE a (x);\n-- a comment\nINSERT INTO a VALUES (1);\n\n", [1]),
        ("CREATE TABLE a (x); /* ; */ INSERT INTO a VALUES (';' = ';') -- the end", [1]),
        ("CREATE TABLE a (x);\u{0}INSERT INTO a VALUES (1)", []),
        ("CREATE TABLE a (x);;;", []),
    ])
    func allStatementsOfATextAreExecuted(_ sql: String, _ rows: [Int]) throws {
        try database.get().inDatabase { try $0.execute(sql: sql) }
        #expect(try numbers("SELECT x FROM a") == rows)
    }

    @Test func anErrorSaysWhichStatementFailed() throws {
        let connection = try database.get()
        let error = #expect(throws: DatabaseError.self) {
            try connection.inDatabase {
                try $0.execute(sql: "CREATE TABLE a (x UNIQUE); INSERT INTO a VALUES (1), (1); DROP TABLE a")
            }
        }
        #expect(error?.resultCode == .constraint)
        #expect(error?.message == "UNIQUE constraint failed: a.x")
        #expect(error?.purpose == .writing(table: "a"))
        #expect(try numbers("SELECT count(*) FROM a") == [0])
    }

    @Test(arguments: [
        ("SELECT a, b FROM days WHERE c", StatementPurpose.reading(table: "days")),
        ("WITH x AS (SELECT 1) SELECT * FROM x", .reading(table: "x")),
        ("INSERT OR REPLACE INTO runs VALUES (?)", .writing(table: "runs")),
        ("UPDATE days SET final = 1", .writing(table: "days")),
        ("DELETE FROM days", .writing(table: "days")),
        ("CREATE TABLE a (b)", .changingSchema), ("DROP VIEW v", .changingSchema),
        ("BEGIN IMMEDIATE", .beginning), ("COMMIT", .committing),
        ("PRAGMA quick_check(1)", .pragma("quick_check")),
    ])
    func theFirstWordsSayWhatAStatementIsFor(_ sql: String, _ purpose: StatementPurpose) {
        #expect(DatabaseError(.error, "", sql: sql).purpose == purpose)
    }

    @Test(arguments: ["", "SELECT 1", "ATTACH 'x' AS y", "no SQL"])
    func ofOtherStatementsNothingIsSaid(_ sql: String) {
        #expect(DatabaseError(.error, "", sql: sql).purpose == nil)
    }

    @Test func aValueIsMissingOrTooMany() throws {
        let connection = try database.get()
        for arguments in [[1], [1, 2, 3]] {
            let error = #expect(throws: DatabaseError.self) {
                try connection.inDatabase { try Int.fetchOne($0, sql: "SELECT ? + ?", arguments: arguments) }
            }
            #expect(error?.resultCode == .misuse)
        }
        #expect(
            try connection.inDatabase { try Int.fetchOne($0, sql: "SELECT ? + ?", arguments: [1, 2]) } == 3)
    }

    @Test(arguments: [
        DatabaseValue.null, .int64(.min), .int64(0), .double(0.1), .double(1), .string(""), .string("a\u{0}é"),
        .blob([]), .blob([0, 255]),
    ])
    func aValueComesBackAsItWasBound(_ value: DatabaseValue) throws {
        let read = try database.get().inDatabase { try Row.fetchOne($0, sql: "SELECT ?", arguments: [value]) }
        #expect(read?.databaseValues == [value])
    }

    @Test func aValueOfAnotherTypeIsAnError() throws {
        let connection = try database.get()
        for sql in ["SELECT '1'", "SELECT 1.0", "SELECT NULL", "SELECT x'31'"] {
            #expect(throws: ValueTypeError.self) {
                try connection.inDatabase { database in
                    try Statement(sql, in: database).firstNumber()
                }
            }
        }
    }

    @Test func aTransactionThatFailsIsUndone() throws {
        let connection = try database.get()
        try connection.inDatabase { try $0.execute(sql: "CREATE TABLE a (x UNIQUE ON CONFLICT ROLLBACK)") }
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try connection.inDatabase { database in
                try database.inTransaction(.immediate) {
                    try database.execute(sql: "INSERT INTO a VALUES (1)")
                    throw Failure()
                }
            }
        }
        // Here SQLite has ended the transaction itself.
        #expect(throws: DatabaseError.self) {
            try connection.inDatabase { database in
                try database.inTransaction(.immediate) {
                    try database.execute(sql: "INSERT INTO a VALUES (1); INSERT INTO a VALUES (1)")
                    return .commit
                }
            }
        }
        try connection.inDatabase { database in
            try database.inTransaction(.immediate) {
                try database.execute(sql: "INSERT INTO a VALUES (1)")
                return .rollback
            }
        }
        #expect(try numbers("SELECT count(*) FROM a") == [0])
    }

    @Test func aLockedDatabaseIsAskedForUntilTheHandlerGivesUp() throws {
        let scratch = try ScratchFolder()
        let path = scratch.path("a.sqlite")
        let holder = try Connection(path: path)
        try holder.inDatabase { try $0.execute(sql: "CREATE TABLE a (x); BEGIN EXCLUSIVE") }
        for (configuration, attempts) in [(Configuration(), "0"), (Configuration(whenBusy: { $0 < 3 }), "3")] {
            let waiting = try Connection(path: path, configuration: configuration)
            let error = #expect(throws: DatabaseError.self, "\(attempts)") {
                try waiting.inDatabase { try Int.fetchAll($0, sql: "SELECT x FROM a") }
            }
            #expect(error?.resultCode == .busy)
        }
        try holder.close()
        #expect(try Connection(path: path).read { try Int.fetchAll($0, sql: "SELECT x FROM a") } == [])
    }
}

extension Statement {
    fileprivate func firstNumber() throws -> Int64 {
        _ = try next()
        return try decode(Int64.self, 0)
    }
}
