import CSQLite

/// A prepared statement. Columns start at 0, parameters at 1. Finalized at the end of its life.
package final class Statement {
    package let sql: String
    @usableFromInline package let handle: OpaquePointer?

    /// Prepares the first statement of a text, and tells where the rest begins.
    init(_ text: UnsafePointer<CChar>, rest: inout UnsafePointer<CChar>?, _ connection: OpaquePointer?) throws {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v2(connection, text, -1, &handle, &rest)
        self.handle = handle
        sql = String(cString: text)
        if code != SQLITE_OK { throw DatabaseError(of: connection, sql: sql) }
    }

    deinit {
        sqlite3_finalize(handle)
    }

    // MARK: Binding

    /// Binds a value to each parameter.
    package func bind(_ values: [DatabaseValue]) throws {
        guard values.count == Int(sqlite3_bind_parameter_count(handle)) else {
            throw DatabaseError(.misuse, "\(values.count) values for its parameters", sql: sql)
        }
        for (index, value) in values.enumerated() {
            let parameter = Int32(index + 1)
            switch value {
            case .null: try bindNull(parameter)
            case .int64(let number): try bind(number, parameter)
            case .double(let number): try bind(number, parameter)
            case .string(let text): try bind(text: text.utf8.span, parameter)
            case .blob(let bytes): try bind(blob: bytes.span, parameter)
            }
        }
    }

    @inlinable
    package func bindNull(_ parameter: Int32) throws {
        try check(sqlite3_bind_null(handle, parameter), SQLITE_OK)
    }

    @inlinable
    package func bind(_ number: Int64, _ parameter: Int32) throws {
        try check(sqlite3_bind_int64(handle, parameter, number), SQLITE_OK)
    }

    package func bind(_ number: Double, _ parameter: Int32) throws {
        try check(sqlite3_bind_double(handle, parameter, number), SQLITE_OK)
    }

    package func bind(text: Span<UInt8>, _ parameter: Int32) throws {
        let code = text.withUnsafeBytes { bytes in
            // A null pointer would bind NULL.
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else {
                return sqlite3_bind_text(handle, parameter, "", 0, Statement.copied)
            }
            return sqlite3_bind_text(handle, parameter, start, Int32(bytes.count), Statement.copied)
        }
        try check(code, SQLITE_OK)
    }

    package func bind(blob: Span<UInt8>, _ parameter: Int32) throws {
        let code = blob.withUnsafeBytes { bytes in
            bytes.isEmpty
                ? sqlite3_bind_zeroblob(handle, parameter, 0)
                : sqlite3_bind_blob(handle, parameter, bytes.baseAddress, Int32(bytes.count), Statement.copied)
        }
        try check(code, SQLITE_OK)
    }

    /// SQLite copies texts and blobs, so they may be freed after the call.
    private static var copied: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    // MARK: Executing

    /// Executes the statement with the bound values, which remain bound. Rows that it gives are passed over.
    package func execute() throws {
        while try next() {}
    }

    /// Goes to the next row. Returns false after the last row; a further call starts again.
    @inlinable
    package func next() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        defer { sqlite3_reset(handle) }
        try check(code, SQLITE_DONE)
        return false
    }

    /// Ends a selection before its last row.
    package func reset() {
        sqlite3_reset(handle)
    }

    @inlinable
    package func check(_ code: Int32, _ wanted: Int32) throws {
        if code != wanted { throw error() }
    }

    @usableFromInline
    package func error() -> DatabaseError { DatabaseError(of: sqlite3_db_handle(handle), sql: sql) }

    // MARK: The current row

    package var columnCount: Int32 { sqlite3_column_count(handle) }

    package var columnNames: [String] {
        (0..<columnCount).map { String(cString: sqlite3_column_name(handle, $0)) }
    }

    /// All values of the current row.
    package var values: [DatabaseValue] { (0..<columnCount).map(value) }

    /// SQLite's code of the type of a column.
    @inlinable
    package func type(_ column: Int32) -> Int32 {
        sqlite3_column_type(handle, column)
    }

    /// SQLite converts values of other types.
    @inlinable
    package func number(_ column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    /// A number that must be stored as one. SQLite itself takes NULL, a text and a blob for 0, so a hash of what it gives would
    /// not tell them apart.
    @inlinable
    package func integer(_ column: Int32) throws -> Int64 {
        guard type(column) == SQLITE_INTEGER else { throw ValueTypeError() }
        return number(column)
    }

    package func double(_ column: Int32) -> Double {
        sqlite3_column_double(handle, column)
    }

    package func text(_ column: Int32) -> String {
        String(decoding: bytes(column), as: UTF8.self)
    }

    /// The bytes of a text or blob. Valid until the next call that reads the same column or changes the row.
    package func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        // The length first: it converts a text of another encoding to UTF-8, which moves its bytes.
        let count = Int(sqlite3_column_bytes(handle, column))
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    }

    package func value(_ column: Int32) -> DatabaseValue {
        switch type(column) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .int64(number(column))
        case SQLITE_FLOAT: .double(double(column))
        case SQLITE_TEXT: .string(text(column))
        default: .blob([UInt8](bytes(column)))
        }
    }

    /// A value that must have the type that is asked for.
    package func decode<T: DatabaseValueConvertible>(_: T.Type, _ column: Int32) throws -> T {
        guard let value = T(value(column)) else {
            throw ValueTypeError()
        }
        return value
    }
}
