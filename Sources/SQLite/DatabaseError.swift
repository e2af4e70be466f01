import CSQLite
import Glibc

/// An error of SQLite.
package struct DatabaseError: Error {
    /// What can be done about it depends on this.
    package enum Kind: Sendable {
        /// A statement does not fit the database, or is none.
        case unfitting
        /// A length is impossible, or a number that is no row's.
        case impossible
        /// A value breaks a rule of its table.
        case constraint
        /// The file is no database.
        case noDatabase
        case damaged
        /// Another connection has locked it.
        case busy
        case fullDisk
        case unopened
        /// A killed writer's transaction must be undone first, and this connection may not.
        case unfinishedTransaction
        /// A statement that may not be run here.
        case forbidden
        /// Stopped by its own connection.
        case interrupted
        case other
    }

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
        let code = sqlite3_extended_errcode(connection)
        // SQLite calls a file damaged that the disk could not read. The file remembers the system's error.
        var systemError: Int32 = 0
        if code & 0xFF == SQLITE_CORRUPT,
            sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &systemError) == SQLITE_OK,
            [EIO, ENXIO, ERANGE].contains(systemError)
        {
            self.init(DatabaseError.unread, message: String(cString: strerror(systemError)), sql: sql)
        } else {
            self.init(code, message: String(cString: sqlite3_errmsg(connection)), sql: sql)
        }
    }

    /// SQLITE_IOERR_READ
    private static let unread = SQLITE_IOERR | 1 << 8

    package var kind: Kind {
        switch code & 0xFF {
        case SQLITE_ERROR: .unfitting
        case SQLITE_TOOBIG, SQLITE_MISMATCH: .impossible
        case SQLITE_CONSTRAINT: .constraint
        case SQLITE_NOTADB: .noDatabase
        case SQLITE_CORRUPT: .damaged
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_FULL: .fullDisk
        case SQLITE_CANTOPEN: .unopened
        // SQLITE_READONLY_ROLLBACK
        case SQLITE_READONLY where code == SQLITE_READONLY | 3 << 8: .unfinishedTransaction
        case SQLITE_AUTH: .forbidden
        case SQLITE_INTERRUPT: .interrupted
        default: .other
        }
    }
}
