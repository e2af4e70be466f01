import CSQLite

extension Database {
    /// `SQLite 3.46.1`
    package static var library: String { "SQLite \(String(cString: sqlite3_libversion()))" }

    /// Runs `body` with a selection that somebody else wrote. SQLite is asked while it compiles it, and what `body`
    /// makes of it, whether it reads this database alone. Values may have 1 MiB, and rows 64 columns.
    ///
    /// - Parameter isOver: asked from time to time; true ends what is being asked.
    /// - Throws: `DatabaseError`: of the kind `forbidden` if it is not one selection without parameters, `interrupted`
    ///   if `isOver` said so.
    package func asking(_ question: String, until isOver: () -> Bool, body: (Statement) throws -> Void) throws {
        let limits = [(SQLITE_LIMIT_LENGTH, 1 << 20), (SQLITE_LIMIT_COLUMN, 64)].map { limit, value in
            (limit, former: sqlite3_limit(handle, limit, value))
        }
        try withoutActuallyEscaping(isOver) { isOver in
            var isOver = isOver
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
                try body(statement)
            }
        }
    }

    /// Reading and computing is allowed, and nothing else.
    private static let authorize:
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?
        ) -> Int32 = { _, action, _, name, place, _ in
            switch action {
            // What a writer has put aside for itself is not for others.
            case SQLITE_READ: place.map { String(cString: $0) } == "temp" ? SQLITE_DENY : SQLITE_OK
            case SQLITE_SELECT, SQLITE_RECURSIVE: SQLITE_OK
            case SQLITE_FUNCTION: name.map { String(cString: $0) } == "load_extension" ? SQLITE_DENY : SQLITE_OK
            default: SQLITE_DENY
            }
        }
}
