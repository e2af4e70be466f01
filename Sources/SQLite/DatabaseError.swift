import CSQLite

/// An error of SQLite.
package struct DatabaseError: Error, Sendable, CustomStringConvertible {
    /// With the details that SQLite adds in the higher bytes.
    package let extendedResultCode: ResultCode
    package let message: String
    /// The statement that failed; nil if the error is none of a statement.
    package let sql: String?

    package init(_ code: ResultCode, _ message: String, sql: String? = nil) {
        extendedResultCode = code
        self.message = message
        self.sql = sql
    }

    /// The error that a code of SQLite stands for.
    package init(code: Int32) {
        self.init(ResultCode(rawValue: code), String(cString: sqlite3_errstr(code)))
    }

    /// The last error of a connection.
    package init(of connection: OpaquePointer?, sql: String? = nil) {
        self.init(
            ResultCode(rawValue: sqlite3_extended_errcode(connection)), String(cString: sqlite3_errmsg(connection)),
            sql: sql)
    }

    package var resultCode: ResultCode { ResultCode(rawValue: extendedResultCode.rawValue & 0xFF) }

    /// What the statement was for; nil if nothing can be said.
    package var purpose: StatementPurpose? { sql.flatMap(StatementPurpose.init) }

    package var description: String { "SQLite error \(extendedResultCode.rawValue): \(message)" }
}
