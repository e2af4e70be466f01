import CSQLite
import Partitions
import SQLite

/// The SQL of a check of the pipeline: a question to push.db, which somebody else wrote.
package enum CheckQuestion {
    package static let mostRows = 1000
    fileprivate static let mostSeconds = 10

    /// What is wrong with it: it is compiled for an empty push.db. Nil if nothing is.
    package static func fault(of sql: String) throws(WarehouseError) -> String? {
        try reportingFacts(of: ":memory:") {
            let database = try Database(":memory:")
            for table in OutputDatabase.creations { try database.execute(table.sql) }
            do {
                try database.ask(sql) { _, _ in }
                return nil
            } catch let error as DatabaseError {
                return words(error)
            }
        }
    }

    /// Why it could not be asked.
    static func words(_ error: DatabaseError) -> String {
        switch error.primaryCode {
        case SQLITE_AUTH: "it must be one SELECT without parameters that reads push.db and nothing else"
        case SQLITE_INTERRUPT: "it did not end within \(mostSeconds) seconds"
        default: error.message
        }
    }

    /// The first rows by all columns, and one more if there are more. The names of its columns may be others.
    fileprivate static func ordered(_ selection: Statement) -> String {
        let text = selection.text.hasSuffix(";") ? selection.text.dropLast() : selection.text[...]
        let order = selection.columnNames.indices.map { "\($0 + 1) COLLATE BINARY" }.joined(separator: ", ")
        // A comment may end the text.
        return "SELECT * FROM (\n\(text)\n) ORDER BY \(order) LIMIT \(mostRows + 1)"
    }
}

extension Database {
    /// Compiles the SQL of a check, and calls `body` with the names of its columns to read its rows. It must be one
    /// SELECT: SQLite is asked while it compiles it whether it reads this database alone.
    ///
    /// - Throws: `DatabaseError`; SQLITE_INTERRUPT when the time is over, or `isStopped` says so.
    func ask(
        _ question: String, isStopped: @escaping () -> Bool = { false },
        body: (_ row: Statement, _ columns: [String]) throws -> Void
    ) throws {
        // The bytes of a value, and of a row that SQLite puts aside; columns.
        let limits = [(SQLITE_LIMIT_LENGTH, 1 << 20), (SQLITE_LIMIT_COLUMN, 64)].map { limit, value in
            (limit, former: sqlite3_limit(handle, limit, value))
        }
        let deadline = ContinuousClock.now.advanced(by: .seconds(CheckQuestion.mostSeconds))
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
                throw DatabaseError(SQLITE_AUTH, message: "it must be one SELECT", sql: question)
            }
            try body(try prepare(CheckQuestion.ordered(statement)), statement.columnNames)
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
