import CSQLite
import Foundation

/// A connection to a database that threads may share: they wait for one another. Closed at the end of its life.
///
/// `@unchecked`: `database` is only used under the lock.
package final class Connection: @unchecked Sendable {
    private let database: Database
    private let lock = NSLock()

    /// Opens the file, which is created if it does not exist and may be written. SQLite reads it at the first statement.
    package init(path: String, configuration: Configuration = Configuration()) throws {
        database = try Database(path, configuration)
    }

    /// Runs `body`. It may not use the connection itself.
    package func inDatabase<T>(_ body: (Database) throws -> T) rethrows -> T {
        try lock.withLock { try body(database) }
    }

    /// Reads in one transaction, so that all is of one state of the file.
    package func read<T>(_ body: (Database) throws -> T) throws -> T {
        try inDatabase { database in
            var result: T?
            try database.inTransaction(.deferred) {
                result = try body(database)
                return .commit
            }
            guard let result else { throw DatabaseError(.misuse, "no transaction") }
            return result
        }
    }

    package func close() throws {
        try inDatabase { try $0.close() }
    }

    /// Overwrites another database with the content of this one, in one transaction.
    package func backup(to other: Connection) throws {
        try inDatabase { source in
            try other.inDatabase { target in
                guard let backup = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
                    throw DatabaseError(of: target.handle)
                }
                let code = sqlite3_backup_step(backup, -1)
                guard sqlite3_backup_finish(backup) == SQLITE_OK, code == SQLITE_DONE else {
                    throw DatabaseError(of: target.handle)
                }
            }
        }
    }
}
