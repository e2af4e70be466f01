import CSQLite

/// An open connection to a database. Use it from one thread at a time, see `Connection`.
package final class Database {
    package private(set) var handle: OpaquePointer?
    private let whenBusy: BusyHandler?
    private var statements: [String: Statement] = [:]

    /// SQLite settings, made once before the first file is opened.
    private static let settings: Void = sqlite_keep_no_memory_statistics()

    init(_ path: String, _ configuration: Configuration) throws {
        Database.settings
        whenBusy = configuration.whenBusy.map(BusyHandler.init)
        let access = configuration.isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = sqlite3_open_v2(path, &handle, access | SQLITE_OPEN_NOMUTEX, nil)
        sqlite3_extended_result_codes(handle, 1)
        guard code == SQLITE_OK else { throw DatabaseError(of: handle) }
        if let whenBusy {
            let context = Unmanaged.passUnretained(whenBusy).toOpaque()
            sqlite3_busy_handler(
                handle,
                { context, count in
                    guard let context else { return 0 }
                    return Unmanaged<BusyHandler>.fromOpaque(context).takeUnretainedValue().ask(Int(count)) ? 1 : 0
                }, context)
        } else {
            sqlite3_busy_timeout(handle, Int32(configuration.busyTimeout * 1000))
        }
    }

    deinit {
        // Nothing is left to be written: a transaction that is open is undone.
        sqlite3_close_v2(handle)
    }

    /// Finalizes the statements of the cache, and closes the connection once no other statement is left.
    func close() throws {
        statements = [:]
        let closing = handle
        handle = nil
        guard sqlite3_close_v2(closing) == SQLITE_OK else { throw DatabaseError(of: closing) }
    }

    /// A statement that stays prepared until the connection is closed.
    package func cachedStatement(sql: String) throws -> Statement {
        if let statement = statements[sql] { return statement }
        let statement = try Statement(sql, in: self)
        statements[sql] = statement
        return statement
    }

    /// Executes all statements of a text, which ends at a NUL byte.
    package func execute(sql: String) throws {
        try sql.withCString { text in
            var rest: UnsafePointer<CChar>? = text
            while let start = rest, start.pointee != 0 {
                let statement = try Statement(start, rest: &rest, handle)
                // Nothing but a comment has no statement.
                if statement.handle != nil { try statement.execute() }
            }
        }
    }

    /// Executes a statement.
    package func execute(sql: String, arguments: [any DatabaseValueConvertible]) throws {
        try Statement(sql, arguments, in: self).execute()
    }

    package enum TransactionKind: String {
        case deferred, immediate, exclusive
    }

    package enum TransactionCompletion {
        case commit, rollback
    }

    /// Runs `body` in a transaction, which is undone if `body` says so or fails.
    package func inTransaction(_ kind: TransactionKind, _ body: () throws -> TransactionCompletion) throws {
        try execute(sql: "BEGIN \(kind.rawValue.uppercased())")
        do {
            try execute(sql: try body() == .commit ? "COMMIT" : "ROLLBACK")
        } catch {
            // Some errors have ended the transaction already.
            if sqlite3_get_autocommit(handle) == 0 { try? execute(sql: "ROLLBACK") }
            throw error
        }
    }

    /// How many rows the last statement has inserted, changed or deleted.
    package var changes: Int { Int(sqlite3_changes(handle)) }

    package var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

    package func tableExists(_ name: String) throws -> Bool {
        try Int.fetchOne(
            self, sql: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE",
            arguments: [name]) != nil
    }
}

/// What SQLite asks, as an object that C can hold on to.
private final class BusyHandler {
    let ask: (Int) -> Bool

    init(_ ask: @escaping (Int) -> Bool) {
        self.ask = ask
    }
}
