import CSQLite

/// A type whose values SQLite stores.
package protocol Storable {
    var databaseValue: DatabaseValue { get }
    /// For errors: a value of another type is not this.
    static var typeName: String { get }
    /// Reads a column of a statement's current row. Nil if the value has another type: SQLite's own conversions are not
    /// used.
    init?(_ row: OpaquePointer?, column: Int32)
}

extension Storable where Self: FixedWidthInteger {
    package var databaseValue: DatabaseValue { .int64(Int64(self)) }
    package static var typeName: String { "an integer" }
    package init?(_ row: OpaquePointer?, column: Int32) {
        guard sqlite3_column_type(row, column) == SQLITE_INTEGER else { return nil }
        self.init(sqlite3_column_int64(row, column))
    }
}

extension [DatabaseValue] {
    /// The values of a row, or of the parameters of a statement.
    package static func of(_ values: any Storable...) -> [DatabaseValue] { values.map(\.databaseValue) }
}

extension Int: Storable {}
extension Int64: Storable {}

extension Double: Storable {
    package var databaseValue: DatabaseValue { .double(self) }
    package static var typeName: String { "a number" }
    package init?(_ row: OpaquePointer?, column: Int32) {
        guard [SQLITE_INTEGER, SQLITE_FLOAT].contains(sqlite3_column_type(row, column)) else { return nil }
        self = sqlite3_column_double(row, column)
    }
}

extension String: Storable {
    package var databaseValue: DatabaseValue { .string(self) }
    package static var typeName: String { "text" }
    package init?(_ row: OpaquePointer?, column: Int32) {
        guard sqlite3_column_type(row, column) == SQLITE_TEXT else { return nil }
        self.init(decoding: columnBytes(of: row, at: column), as: UTF8.self)
    }
}

extension [UInt8]: Storable {
    package var databaseValue: DatabaseValue { .blob(self) }
    package static var typeName: String { "a blob" }
    package init?(_ row: OpaquePointer?, column: Int32) {
        guard sqlite3_column_type(row, column) == SQLITE_BLOB else { return nil }
        self.init(columnBytes(of: row, at: column))
    }
}

extension Optional: Storable where Wrapped: Storable {
    package var databaseValue: DatabaseValue { self?.databaseValue ?? .null }
    package static var typeName: String { Wrapped.typeName }
    package init?(_ row: OpaquePointer?, column: Int32) {
        let wrapped = Wrapped(row, column: column)
        if wrapped == nil, sqlite3_column_type(row, column) != SQLITE_NULL { return nil }
        self = wrapped
    }
}

/// The bytes of a text or blob.
func columnBytes(of row: OpaquePointer?, at column: Int32) -> UnsafeRawBufferPointer {
    // The length first: it converts a text of another encoding to UTF-8, which moves its bytes.
    let count = Int(sqlite3_column_bytes(row, column))
    let start = sqlite3_column_blob(row, column)
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
}
