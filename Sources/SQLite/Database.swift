import CSQLite

/// A connection to a database. Use it from one thread at a time. Closed at the end of its life.
package final class Database {
    private(set) var handle: OpaquePointer?
    private let whenBusy: ((Int) -> Bool)?
    private var statements: [String: Statement] = [:]

    /// SQLite settings, made once before the first file is opened.
    private static let settings: Void = sqlite_keep_no_memory_statistics()

    /// Opens the file, which is created if it does not exist and may be written. SQLite reads it at the first
    /// statement.
    ///
    /// While other connections lock the database, it waits for `busyTimeout` seconds. If there is `whenBusy`, that
    /// waits instead: it is asked before each further attempt, with the number of attempts that failed, and ends them
    /// with false.
    package init(
        _ path: String, isReadOnly: Bool = false, busyTimeout: Double = 0, whenBusy: ((Int) -> Bool)? = nil
    ) throws {
        Database.settings
        self.whenBusy = whenBusy
        let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = sqlite3_open_v2(path, &handle, access | SQLITE_OPEN_NOMUTEX, nil)
        sqlite3_extended_result_codes(handle, 1)
        guard code == SQLITE_OK else { throw DatabaseError(of: handle) }
        sqlite3_busy_timeout(handle, Int32(busyTimeout * 1000))
        if whenBusy == nil { return }
        let ask: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32 = { database, count in
            let database = database.map { Unmanaged<Database>.fromOpaque($0).takeUnretainedValue() }
            return database?.whenBusy?(Int(count)) == true ? 1 : 0
        }
        sqlite3_busy_handler(handle, ask, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { close() }

    /// Undoes a transaction that is open. SQLite closes the file once no statement is left.
    package func close() {
        statements = [:]
        sqlite3_close_v2(handle)
        handle = nil
    }

    /// Executes all statements of a text, which ends at a NUL byte.
    package func execute(_ sql: String) throws { try forEachStatement(of: sql) { try $0.execute() } }

    /// Calls `body` with each statement of a text. It is prepared just before that.
    func forEachStatement(of sql: String, _ body: (Statement) throws -> Void) throws {
        try sql.withCString { text in
            var rest: UnsafePointer<CChar>? = text
            while let start = rest, start.pointee != 0 {
                let statement = try Statement(start, rest: &rest, in: handle)
                if statement.handle != nil { try body(statement) }
            }
        }
    }

    /// Executes a statement, which stays prepared until the connection is closed.
    package func execute(_ sql: String, binding values: [DatabaseValue]) throws {
        let statement = try statements[sql] ?? prepare(sql)
        statements[sql] = statement
        try statement.execute(values)
    }

    /// How many rows the last statement has inserted, changed or deleted.
    package var changes: Int { Int(sqlite3_changes(handle)) }

    package var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Runs `body` in a transaction, which is undone if it fails.
    /// - Parameter isImmediate: whether it takes the lock of a writer first.
    @discardableResult
    package func transaction<Result>(isImmediate: Bool = true, _ body: () throws -> Result) throws -> Result {
        assert(!isInTransaction)
        try execute(isImmediate ? "BEGIN IMMEDIATE" : "BEGIN DEFERRED")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // Some errors have ended the transaction already.
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Prepares the first statement of a text.
    package func prepare(_ sql: String, binding values: [DatabaseValue] = []) throws -> Statement {
        var rest: UnsafePointer<CChar>?
        let statement = try Statement(sql, rest: &rest, in: handle)
        if !values.isEmpty { try statement.bind(values) }
        return statement
    }

    /// Calls `body` with each row of a selection. A row is valid until `body` returns.
    package func forEach(_ sql: String, binding values: [DatabaseValue] = [], body: (Statement) throws -> Void) throws {
        let row = try prepare(sql, binding: values)
        while try row.next() { try body(row) }
    }

    /// What `body` makes of each row of a selection.
    package func rows<Element>(
        _ sql: String, binding values: [DatabaseValue] = [], as body: (Statement) throws -> Element
    ) throws -> [Element] {
        var elements: [Element] = []
        try forEach(sql, binding: values) { elements.append(try body($0)) }
        return elements
    }

    /// The first value of each row.
    package func column<Value: Storable>(_ sql: String, binding values: [DatabaseValue] = []) throws -> [Value] {
        try rows(sql, binding: values) { try $0.read(0) }
    }

    /// The first value of the first row; nil if there is no row, or the value is NULL.
    package func value<Value: Storable>(_ sql: String, binding values: [DatabaseValue] = []) throws -> Value? {
        let row = try prepare(sql, binding: values)
        return try row.next() ? try row.read(0) : nil
    }

    /// Whether a selection gives any row.
    package func hasRow(_ sql: String, binding values: [DatabaseValue] = []) throws -> Bool {
        try prepare(sql, binding: values).next()
    }
}
