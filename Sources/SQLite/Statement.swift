import CSQLite

/// A prepared statement, and the current row of a selection. Columns start at 0. Finalized at the end of its life.
package final class Statement {
    private let sql: String
    /// Nil if there is nothing but a comment.
    let handle: OpaquePointer?
    /// The values that are bound; empty if that is not known.
    private var bound: [DatabaseValue] = []

    /// Prepares the first statement of a text, and tells where the rest begins.
    init(_ text: UnsafePointer<CChar>, rest: inout UnsafePointer<CChar>?, in connection: OpaquePointer?) throws {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v2(connection, text, -1, &handle, &rest)
        self.handle = handle
        sql = String(cString: text)
        if code != SQLITE_OK { throw DatabaseError(of: connection, sql: sql) }
    }

    deinit { sqlite3_finalize(handle) }

    /// Its own text, with the semicolon that ends it.
    package var text: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }

    /// Whether it gives rows, changes nothing, and has no parameter such as `?` or `:from`.
    var isSelection: Bool {
        sqlite3_column_count(handle) > 0 && sqlite3_stmt_readonly(handle) != 0 && sqlite3_stmt_isexplain(handle) == 0
            && sqlite3_bind_parameter_count(handle) == 0
    }

    /// Binds a value to each parameter. Bound values remain bound.
    func bind(_ values: [DatabaseValue]) throws {
        guard values.count == Int(sqlite3_bind_parameter_count(handle)) else {
            throw DatabaseError(SQLITE_MISUSE, message: "\(values.count) values for its parameters", sql: sql)
        }
        // Bindings outlive a reset. Of rows that come by the million, most values are those of the row before.
        let former = bound
        bound = []
        // SQLite copies texts and blobs, so they may be freed after the call.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        for (parameter, value) in zip((1 as Int32)..., values) {
            if parameter <= former.count, value.isStoredLike(former[Int(parameter) - 1]) { continue }
            let code =
                switch value {
                case .null: sqlite3_bind_null(handle, parameter)
                case .int64(let number): sqlite3_bind_int64(handle, parameter, number)
                case .double(let number): sqlite3_bind_double(handle, parameter, number)
                case .string(let text):
                    text.withCString { sqlite3_bind_text(handle, parameter, $0, Int32(text.utf8.count), copied) }
                // A null pointer would bind NULL.
                case .blob([]): sqlite3_bind_zeroblob(handle, parameter, 0)
                case .blob(let bytes): sqlite3_bind_blob(handle, parameter, bytes, Int32(bytes.count), copied)
                }
            try check(code, is: SQLITE_OK)
        }
        bound = values
    }

    /// Binds a value to each parameter, and executes the statement. Rows that it gives are passed over.
    package func execute(_ values: [DatabaseValue] = []) throws {
        try bind(values)
        while try next() {}
    }

    /// Goes to the next row. Returns false after the last row; a further call starts again.
    package func next() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        defer { sqlite3_reset(handle) }
        try check(code, is: SQLITE_DONE)
        return false
    }

    private func check(_ code: Int32, is wanted: Int32) throws {
        if code != wanted { throw DatabaseError(of: sqlite3_db_handle(handle), sql: sql) }
    }

    package var columnNames: [String] {
        (0..<sqlite3_column_count(handle)).map { String(cString: sqlite3_column_name(handle, $0)) }
    }

    /// A value of the current row, which must have the type that is asked for.
    package func read<Value: Storable>(_ column: Int) throws -> Value {
        guard let value = Value(handle, column: Int32(column)) else {
            throw error(in: column, "is not \(Value.typeName)")
        }
        return value
    }

    /// The same without the cost of being generic.
    package func read(_ column: Int) throws -> Int64 {
        guard let value = Int64(handle, column: Int32(column)) else {
            throw error(in: column, "is not \(Int64.typeName)")
        }
        return value
    }

    /// All values.
    package var values: [DatabaseValue] { (0..<Int(sqlite3_column_count(handle))).map(value) }

    /// The type of a value, whatever its column is declared to hold.
    package enum ValueType { case null, integer, real, text, blob }

    package func type(_ column: Int) -> ValueType {
        switch sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        default: .blob
        }
    }

    package func value(_ column: Int) -> DatabaseValue {
        switch type(column) {
        case .null: .null
        case .integer: .int64(sqlite3_column_int64(handle, Int32(column)))
        case .real: .double(sqlite3_column_double(handle, Int32(column)))
        case .text: .string(String(decoding: bytes(column), as: UTF8.self))
        case .blob: .blob([UInt8](bytes(column)))
        }
    }

    /// The bytes of a text or blob, as they are stored. Valid until the next call that reads the same column or changes
    /// the row.
    package func bytes(_ column: Int) -> UnsafeRawBufferPointer { columnBytes(of: handle, at: Int32(column)) }

    /// Whether the current rows of two statements have the same values, with the same types.
    package func hasSameValues(as other: Statement) -> Bool {
        (0..<sqlite3_column_count(handle)).allSatisfy { column in
            let type = type(Int(column))
            guard type == other.type(Int(column)) else { return false }
            return switch type {
            case .null: true
            case .integer: sqlite3_column_int64(handle, column) == sqlite3_column_int64(other.handle, column)
            case .real: sqlite3_column_double(handle, column) == sqlite3_column_double(other.handle, column)
            default: columnBytes(of: handle, at: column).elementsEqual(columnBytes(of: other.handle, at: column))
            }
        }
    }

    /// The error of a value that does not belong there, since it `is not a date` or so.
    package func error(in column: Int, _ fault: String) -> ValueError {
        ValueError(column: String(cString: sqlite3_column_name(handle, Int32(column))), fault: fault, sql: sql)
    }
}
