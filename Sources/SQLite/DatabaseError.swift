import CSQLite

/// An error of SQLite.
package struct DatabaseError: Error {
    /// SQLITE_ERROR and so on, with the details that SQLite adds in the higher bytes.
    package let code: Int32
    package let message: String
    /// The statement that failed; nil if the error is none of a statement.
    package let sql: String?

    /// - Parameter message: nil for what SQLite says of the code.
    package init(_ code: Int32, message: String? = nil, sql: String? = nil) {
        self.code = code
        self.sql = sql
        self.message = message ?? String(cString: sqlite3_errstr(code))
    }

    /// The last error of a connection.
    package init(of connection: OpaquePointer?, sql: String? = nil) {
        self.init(sqlite3_extended_errcode(connection), message: String(cString: sqlite3_errmsg(connection)), sql: sql)
    }

    /// The code without details.
    package var primaryCode: Int32 { code & 0xFF }
}
