import Events
import GRDB
import GRDBSQLite

extension RowStatement {
    /// Binds values to the parameters of a statement, from the first one on. Bound values remain bound.
    struct Binder: ValueSink {
        let statement: RowStatement
        private var index: Int32 = 0

        init(_ statement: RowStatement) {
            self.statement = statement
        }

        mutating func addNull() throws {
            index += 1
            try statement.check(sqlite3_bind_null(statement.handle, index), SQLITE_OK)
        }

        mutating func add(_ number: Int64) throws {
            index += 1
            try statement.check(sqlite3_bind_int64(statement.handle, index, number), SQLITE_OK)
        }

        mutating func add(_ number: Double) throws {
            index += 1
            try statement.check(sqlite3_bind_double(statement.handle, index, number), SQLITE_OK)
        }

        mutating func add(text: Span<UInt8>) throws {
            index += 1
            let code = text.withUnsafeBytes { bytes in
                // A null pointer would bind NULL.
                guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else {
                    return sqlite3_bind_text(statement.handle, index, "", 0, Binder.copied)
                }
                return sqlite3_bind_text(statement.handle, index, start, Int32(bytes.count), Binder.copied)
            }
            try statement.check(code, SQLITE_OK)
        }

        mutating func add(blob: Span<UInt8>) throws {
            index += 1
            let code = blob.withUnsafeBytes { bytes in
                bytes.isEmpty
                    ? sqlite3_bind_zeroblob(statement.handle, index, 0)
                    : sqlite3_bind_blob(
                        statement.handle, index, bytes.baseAddress, Int32(bytes.count), Binder.copied)
            }
            try statement.check(code, SQLITE_OK)
        }

        // SQLite copies texts and blobs, so they may be freed after the call.
        private static var copied: sqlite3_destructor_type {
            unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        }
    }

    /// Binds a value to each `?` and executes the statement.
    func execute(_ values: [DatabaseValue]) throws {
        var binder = Binder(self)
        for value in values { try binder.add(value) }
        try execute()
    }

    /// The number of rows per statement. More rows gain nothing.
    private static let rowsAtATime = 16

    /// Inserts rows, several per statement, because starting a statement costs SQLite as much as a row.
    /// - Parameter insertion: the SQL up to the name of the table, the number of its columns, and the end of the SQL.
    static func insert<Row: TableRow>(
        _ rows: [Row], _ names: EventNames = EventNames(), by insertion: (sql: String, columns: Int, end: String),
        in database: Database
    ) throws {
        let values = "(\(Array(repeating: "?", count: insertion.columns).joined(separator: ", ")))"
        var rest = rows[...]
        for size in [rowsAtATime, 1] where rest.count >= size {
            let all = Array(repeating: values, count: size).joined(separator: ", ")
            let statement = try RowStatement("\(insertion.sql) VALUES \(all)\(insertion.end)", in: database)
            while rest.count >= size {
                var binder = Binder(statement)
                for row in rest.prefix(size) { try row.write(names, to: &binder) }
                try statement.execute()
                rest = rest.dropFirst(size)
            }
        }
    }
}
