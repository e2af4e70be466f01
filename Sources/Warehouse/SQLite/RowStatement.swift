import Events
import Foundation
import GRDB
import GRDBSQLite

/// A prepared statement for very many rows. It calls SQLite directly, because GRDB's checked arguments and rows cost
/// more than SQLite itself. Columns start at 0.
struct RowStatement {
    private let statement: Statement
    private let database: Database

    init(_ sql: String, in database: Database) throws {
        self.init(try database.makeStatement(sql: sql), in: database)
    }

    /// Reuses a statement from the connection's cache if there is one.
    init(cached sql: String, in database: Database) throws {
        self.init(try database.cachedStatement(sql: sql), in: database)
    }

    private init(_ statement: Statement, in database: Database) {
        self.statement = statement
        self.database = database
    }

    var handle: OpaquePointer { statement.sqliteStatement }

    /// Executes the statement with the bound values.
    func execute() throws {
        defer { sqlite3_reset(handle) }
        try check(sqlite3_step(handle), SQLITE_DONE)
    }

    /// Goes to the next row. Returns false after the last row; a further call starts again.
    func next() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        defer { sqlite3_reset(handle) }
        try check(code, SQLITE_DONE)
        return false
    }

    /// Ends a selection before its last row.
    func reset() {
        sqlite3_reset(handle)
    }

    /// SQLite's code of the type of a column of the current row.
    func type(_ column: Int32) -> Int32 {
        sqlite3_column_type(handle, column)
    }

    /// A column of the current row. SQLite converts values of other types.
    func number(_ column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    func double(_ column: Int32) -> Double {
        sqlite3_column_double(handle, column)
    }

    /// Nil if the value is not a blob of 16 bytes.
    func id(_ column: Int32) -> EventID? {
        EventID(bytes: bytes(column))
    }

    func text(_ column: Int32) -> String {
        String(decoding: bytes(column), as: UTF8.self)
    }

    /// A column of the current row. An unknown type becomes NULL.
    func value(_ column: Int32) -> DatabaseValue {
        DatabaseValue(sqliteStatement: handle, index: column)
    }

    /// Passes the first `columns` values of the current row.
    func write<Sink: ValueSink>(columns: Int, to sink: inout Sink) throws(Sink.Failure) {
        try write(columns: 0..<Int32(columns), to: &sink)
    }

    /// Passes some values of the current row.
    func write<Sink: ValueSink>(columns: Range<Int32>, to sink: inout Sink) throws(Sink.Failure) {
        for column in columns {
            switch type(column) {
            case SQLITE_NULL: try sink.addNull()
            case SQLITE_INTEGER: try sink.add(number(column))
            case SQLITE_FLOAT: try sink.add(double(column))
            case SQLITE_TEXT: try sink.add(text: bytes(column).assumingMemoryBound(to: UInt8.self).span)
            default: try sink.add(blob: bytes(column).assumingMemoryBound(to: UInt8.self).span)
            }
        }
    }

    /// Compares a text or blob with a column as SQLite does, byte by byte. Negative, 0 or positive.
    func compare(_ text: Span<UInt8>, column: Int32) -> Int {
        let other = bytes(column)
        let common = min(text.count, other.count)
        var order: Int32 = 0
        if common > 0, let other = other.baseAddress {
            order = text.withUnsafeBytes { memcmp($0.baseAddress ?? other, other, common) }
        }
        return order != 0 ? Int(order) : text.count - other.count
    }

    /// Valid until the next call that reads the same column or changes the row.
    private func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        // The length first: it converts a text of another encoding to UTF-8, which moves its bytes.
        let count = Int(sqlite3_column_bytes(handle, column))
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    }

    func check(_ code: Int32, _ wanted: Int32) throws {
        guard code != wanted else { return }
        let connection = database.sqliteConnection
        throw DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: sqlite3_errmsg(connection).map { String(cString: $0) })
    }
}
