import CSQLite
import Foundation
import Partitions
import SQLite

/// What a question to push.db has found: a check of the pipeline. push.db keeps the findings of its last publishing, so that
/// the report can tell them.
package struct CheckFinding: Codable, Equatable, Sendable {
    package let name: String
    /// At most `CheckAnswer.mostRows`; nil if it could not be asked.
    package let rows: Int?
    /// Nil if it has found nothing.
    package let sentence: String?

    package init(name: String, rows: Int?, sentence: String?) {
        (self.name, self.rows, self.sentence) = (name, rows, sentence)
    }

    private static let item = "checks"

    /// Keeps the findings.
    static func keep(_ findings: [CheckFinding], in database: Database) throws {
        // Texts and numbers can always be encoded.
        let data = findings.isEmpty ? nil : try? JSONEncoder.stored.encode(findings)
        try OwnTables.set(item, to: data.map { String(decoding: $0, as: UTF8.self) }, in: database)
    }

    /// The findings of the last publishing.
    package static func all(in database: Database) throws -> [CheckFinding] {
        // What cannot be decoded is as good as missing: the next command asks again.
        try OwnTables.fact(item, in: database)
            .flatMap { try? JSONDecoder().decode([CheckFinding].self, from: Data($0.utf8)) } ?? []
    }
}

/// The answer to a question.
package struct CheckAnswer: Sendable {
    package static let mostRows = 1000
    /// How many columns of the first row are told.
    private static let toldColumns = 8
    fileprivate static let mostSeconds = 10

    /// The rows that were read.
    package private(set) var rows = 0
    /// Whether there are more than `mostRows`.
    package private(set) var isCut = false
    /// The first columns of the first row.
    package private(set) var first: [(column: String, value: String)] = []
    /// Why it could not be answered; nil if it could.
    package private(set) var hindrance: String?

    /// What is wrong with the SQL of a question: it is compiled for an empty push.db. Nil if nothing is.
    package static func fault(of sql: String) throws(WarehouseError) -> String? {
        try reportingFacts(of: ":memory:") {
            let database = try Database(":memory:")
            for table in OutputDatabase.creations { try database.execute(table.sql) }
            do {
                try database.ask(sql) { _ in }
                return nil
            } catch let error as DatabaseError {
                return words(error)
            }
        }
    }

    private static func words(_ error: DatabaseError) -> String {
        switch error.primaryCode {
        case SQLITE_AUTH: "it must be one SELECT without parameters that reads push.db and nothing else"
        case SQLITE_INTERRUPT: "it did not end within \(mostSeconds) seconds"
        default: error.message
        }
    }

    /// Asks a question, which somebody else wrote.
    init(to sql: String, in database: Database, _ isStopped: @escaping () -> Bool) throws {
        do {
            try database.ask(sql, isStopped: isStopped) { row in
                while !isCut, try row.next() {
                    if rows == 0 { first = Self.told(row) }
                    isCut = rows == Self.mostRows
                    rows += isCut ? 0 : 1
                }
            }
        } catch let error as DatabaseError {
            hindrance = Self.words(error)
        }
    }

    private static func told(_ row: Statement) -> [(column: String, value: String)] {
        row.columnNames.prefix(toldColumns).enumerated().map { index, name in
            let text =
                switch row.value(index) {
                case .null: "NULL"
                case .int64(let number): "\(number)"
                case .double(let number): "\(number)"
                case .string(let text): text
                case .blob(let bytes): "\(bytes.count) bytes"
                }
            return (short(name), short(text))
        }
    }

    private static func short(_ text: String) -> String { text.count > 60 ? text.prefix(59) + "…" : text }
}

extension Database {
    /// Compiles a question that somebody else wrote, and calls `body` to read its rows. It must be one SELECT: SQLite is asked
    /// while it compiles it whether it reads this database alone.
    ///
    /// - Throws: `DatabaseError`; SQLITE_INTERRUPT when the time is over, or `isStopped` says so.
    fileprivate func ask(
        _ question: String, isStopped: @escaping () -> Bool = { false }, _ body: (Statement) throws -> Void
    ) throws {
        // The bytes of a value, and of a row that SQLite puts aside; columns.
        let limits = [(SQLITE_LIMIT_LENGTH, 1 << 20), (SQLITE_LIMIT_COLUMN, 64)].map { limit, value in
            (limit, former: sqlite3_limit(handle, limit, value))
        }
        let deadline = ContinuousClock.now.advanced(by: .seconds(CheckAnswer.mostSeconds))
        var isOver = { ContinuousClock.now > deadline || isStopped() }
        try withUnsafeMutablePointer(to: &isOver) { isOver in
            sqlite3_progress_handler(
                handle, 10_000,
                { isOver in isOver?.assumingMemoryBound(to: (() -> Bool).self).pointee() == true ? 1 : 0 }, isOver)
            sqlite3_set_authorizer(handle, Database.authorize, nil)
            defer {
                sqlite3_set_authorizer(handle, nil, nil)
                sqlite3_progress_handler(handle, 0, nil, nil)
                for (limit, former) in limits { sqlite3_limit(handle, limit, former) }
            }
            var statements: [Statement] = []
            try forEachStatement(of: question) { statements.append($0) }
            guard let statement = statements.first, statements.count == 1, statement.isSelection else {
                throw DatabaseError(SQLITE_AUTH, "it must be one SELECT", sql: question)
            }
            try body(statement)
        }
    }

    /// Reading and computing is allowed, and nothing else.
    private static let authorize:
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?
        ) -> Int32 = { _, action, _, name, place, _ in
            switch action {
            // What a publishing has put aside is not for others.
            case SQLITE_READ: place.map { String(cString: $0) } == "temp" ? SQLITE_DENY : SQLITE_OK
            case SQLITE_SELECT, SQLITE_RECURSIVE: SQLITE_OK
            case SQLITE_FUNCTION: name.map { String(cString: $0) } == "load_extension" ? SQLITE_DENY : SQLITE_OK
            default: SQLITE_DENY
            }
        }
}

extension OutputDatabase {
    /// The answer to a question, by the push.db that is there; nil if there is none.
    package func answer(to sql: String) throws(WarehouseError) -> CheckAnswer? {
        try read { try CheckAnswer(to: sql, in: $0, isStopped) }
    }

    /// The findings of the last publishing.
    package func checkFindings() throws(WarehouseError) -> [CheckFinding] {
        try read { try CheckFinding.all(in: $0) } ?? []
    }
}
