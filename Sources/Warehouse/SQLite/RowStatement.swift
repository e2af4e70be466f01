import Events
import Foundation
import GRDB
import GRDBSQLite

/// A prepared statement for very many rows. It calls SQLite directly, because GRDB's checked arguments and rows cost
/// more than SQLite itself. Parameter indexes start at 1, columns at 0. Bound values remain bound.
struct RowStatement {
    private let statement: Statement
    private let database: Database
    /// The number of parameters before this row's, in a statement for several rows.
    private var argumentsBefore: Int32 = 0

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

    /// The same statement with parameter indexes relative to the row at `index`.
    func row(_ index: Int, columns: Int) -> RowStatement {
        var row = self
        row.argumentsBefore = Int32(index * columns)
        return row
    }

    func bind(_ number: Int64, at index: Int32) throws {
        try check(sqlite3_bind_int64(statement.sqliteStatement, argumentsBefore + index, number), SQLITE_OK)
    }

    func bind(_ number: Double, at index: Int32) throws {
        try check(sqlite3_bind_double(statement.sqliteStatement, argumentsBefore + index, number), SQLITE_OK)
    }

    func bindNull(at index: Int32) throws {
        try check(sqlite3_bind_null(statement.sqliteStatement, argumentsBefore + index), SQLITE_OK)
    }

    func bind(text: Span<UInt8>, at index: Int32) throws {
        let index = argumentsBefore + index
        let code = text.withUnsafeBytes { bytes in
            // A null pointer would bind NULL.
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else {
                return sqlite3_bind_text(statement.sqliteStatement, index, "", 0, RowStatement.copied)
            }
            return sqlite3_bind_text(
                statement.sqliteStatement, index, start, Int32(bytes.count), RowStatement.copied)
        }
        try check(code, SQLITE_OK)
    }

    func bind(blob: Span<UInt8>, at index: Int32) throws {
        let index = argumentsBefore + index
        let code = blob.withUnsafeBytes { bytes in
            bytes.isEmpty
                ? sqlite3_bind_zeroblob(statement.sqliteStatement, index, 0)
                : sqlite3_bind_blob(
                    statement.sqliteStatement, index, bytes.baseAddress, Int32(bytes.count), RowStatement.copied)
        }
        try check(code, SQLITE_OK)
    }

    func bind(_ text: String, at index: Int32) throws {
        var text = text
        try text.withUTF8 { try bind(text: $0.span, at: index) }
    }

    func bind(_ value: DatabaseValue, at index: Int32) throws {
        switch value.storage {
        case .null: try bindNull(at: index)
        case .int64(let number): try bind(number, at: index)
        case .double(let number): try bind(number, at: index)
        case .string(let text): try bind(text, at: index)
        case .blob(let data): try bind(blob: data.span, at: index)
        }
    }

    /// Executes the statement with the bound values.
    func execute() throws {
        defer { sqlite3_reset(statement.sqliteStatement) }
        try check(sqlite3_step(statement.sqliteStatement), SQLITE_DONE)
    }

    /// Binds a value to each `?` and executes the statement.
    func execute(_ values: some Collection<DatabaseValue>) throws {
        var index: Int32 = 0
        for value in values {
            index += 1
            try bind(value, at: index)
        }
        try execute()
    }

    /// Goes to the next row. Returns false after the last row; a further call starts again.
    func next() throws -> Bool {
        let code = sqlite3_step(statement.sqliteStatement)
        if code == SQLITE_ROW { return true }
        defer { sqlite3_reset(statement.sqliteStatement) }
        try check(code, SQLITE_DONE)
        return false
    }

    /// Ends a selection before its last row.
    func reset() {
        sqlite3_reset(statement.sqliteStatement)
    }

    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(statement.sqliteStatement, column) == SQLITE_NULL
    }

    /// A column of the current row. SQLite converts values of other types.
    func number(_ column: Int32) -> Int64 {
        sqlite3_column_int64(statement.sqliteStatement, column)
    }

    func double(_ column: Int32) -> Double {
        sqlite3_column_double(statement.sqliteStatement, column)
    }

    /// Nil if the value is not a blob of 16 bytes.
    func id(_ column: Int32) -> EventID? {
        EventID(bytes: bytes(column))
    }

    func text(_ column: Int32) -> String {
        String(decoding: bytes(column), as: UTF8.self)
    }

    /// The digest of the first `columns` values of the current row.
    func digest(columns: Int) -> UInt64 {
        var digest = RowDigest()
        for column in 0..<Int32(columns) {
            switch sqlite3_column_type(statement.sqliteStatement, column) {
            case SQLITE_NULL: digest.addNull()
            case SQLITE_INTEGER: digest.add(number(column))
            case SQLITE_FLOAT: digest.add(double(column))
            case let type:
                let buffer = bytes(column).assumingMemoryBound(to: UInt8.self)
                if type == SQLITE_TEXT { digest.add(text: buffer.span) } else { digest.add(blob: buffer.span) }
            }
        }
        return digest.value
    }

    /// Compares texts as SQLite does, by their bytes. Negative, 0 or positive.
    func compare(_ text: String, column: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { compare(text: $0.span, column: column) }
    }

    func compare(text: Span<UInt8>, column: Int32) -> Int32 {
        let other = bytes(column)
        let common = min(text.count, other.count)
        var order: Int32 = 0
        if common > 0, let other = other.baseAddress {
            order = text.withUnsafeBytes { memcmp($0.baseAddress ?? other, other, common) }
        }
        return order != 0 ? order : Int32(clamping: text.count - other.count)
    }

    /// Valid until the next call that reads the same column or changes the row.
    private func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(statement.sqliteStatement, column)
        return UnsafeRawBufferPointer(
            start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement.sqliteStatement, column)))
    }

    // SQLite copies texts and blobs, so they may be freed after the call.
    private static var copied: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    private func check(_ code: Int32, _ wanted: Int32) throws {
        guard code != wanted else { return }
        let connection = database.sqliteConnection
        throw DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: sqlite3_errmsg(connection).map { String(cString: $0) })
    }
}
