import CSQLite

/// A question that somebody else wrote: one SELECT. SQLite is asked while it compiles it whether it reads this database alone.
package struct Selection {
    /// How much a question may take.
    package struct Limits {
        package let seconds: Double
        /// Of a value, and of a row that SQLite puts aside.
        package let bytes: Int
        package let columns: Int

        package init(seconds: Double, bytes: Int, columns: Int) {
            (self.seconds, self.bytes, self.columns) = (seconds, bytes, columns)
        }
    }

    let sql: String
    let limits: Limits

    package init(_ sql: String, limits: Limits) {
        (self.sql, self.limits) = (sql, limits)
    }

    /// Compiles it for a database, and calls `body` to read its rows.
    /// - Throws: `DatabaseError`; SQLITE_INTERRUPT when the time is over, or `isStopped` says so.
    package func run<Result>(
        in database: Database, isStopped: @escaping () -> Bool = { false }, _ body: (Statement) throws -> Result
    ) throws -> Result {
        let handle = database.handle
        let former = [(SQLITE_LIMIT_LENGTH, limits.bytes), (SQLITE_LIMIT_COLUMN, limits.columns)].map { limit, value in
            (limit, sqlite3_limit(handle, limit, Int32(value)))
        }
        let deadline = ContinuousClock.now.advanced(by: .seconds(limits.seconds))
        var isOver = { ContinuousClock.now > deadline || isStopped() }
        return try withUnsafeMutablePointer(to: &isOver) { isOver in
            sqlite3_progress_handler(
                handle, 10_000,
                { isOver in isOver?.assumingMemoryBound(to: (() -> Bool).self).pointee() == true ? 1 : 0 }, isOver)
            sqlite3_set_authorizer(handle, Selection.authorize, nil)
            defer {
                sqlite3_set_authorizer(handle, nil, nil)
                sqlite3_progress_handler(handle, 0, nil, nil)
                for (limit, value) in former { sqlite3_limit(handle, limit, value) }
            }
            return try body(try statement(in: database))
        }
    }

    private func statement(in database: Database) throws -> Statement {
        let statements = try database.statements(in: sql)
        guard let statement = statements.first, statements.count == 1, statement.isSelection else {
            throw DatabaseError(SQLITE_AUTH, "it must be one SELECT", sql: sql)
        }
        return statement
    }

    /// Reading and computing is allowed, and nothing else.
    private static let authorize:
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?
        ) -> Int32 = { _, action, _, name, _, _ in
            switch action {
            case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: SQLITE_OK
            case SQLITE_FUNCTION: name.map { String(cString: $0) } == "load_extension" ? SQLITE_DENY : SQLITE_OK
            default: SQLITE_DENY
            }
        }
}
