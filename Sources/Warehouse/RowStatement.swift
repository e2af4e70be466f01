import GRDB
import GRDBSQLite

/// A prepared statement for very many rows. It binds by SQLite's own functions: GRDB's checked arguments cost more than
/// SQLite itself, and here all rows of a table come from one place.
struct RowStatement {
    private let statement: Statement
    private let database: Database

    init(_ sql: String, in database: Database) throws {
        statement = try database.makeStatement(sql: sql)
        self.database = database
    }

    /// Executes with a value for each `?`.
    func execute(_ values: some Collection<DatabaseValue>) throws {
        let handle = statement.sqliteStatement
        defer { sqlite3_reset(handle) }
        var place: Int32 = 0
        for value in values {
            place += 1
            try check(bind(value, at: place), SQLITE_OK)
        }
        try check(sqlite3_step(handle), SQLITE_DONE)
    }

    private func bind(_ value: DatabaseValue, at place: Int32) -> Int32 {
        let handle = statement.sqliteStatement
        // SQLite takes copies, so nothing needs to outlive the call.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value.storage {
        case .null: return sqlite3_bind_null(handle, place)
        case .int64(let number): return sqlite3_bind_int64(handle, place, number)
        case .double(let number): return sqlite3_bind_double(handle, place, number)
        case .string(let text):
            return text.withCString { sqlite3_bind_text(handle, place, $0, Int32(text.utf8.count), copied) }
        case .blob(let data):
            return data.withUnsafeBytes { bytes in
                bytes.isEmpty
                    ? sqlite3_bind_zeroblob(handle, place, 0)
                    : sqlite3_bind_blob(handle, place, bytes.baseAddress, Int32(bytes.count), copied)
            }
        }
    }

    private func check(_ code: Int32, _ wanted: Int32) throws {
        guard code != wanted else { return }
        let connection = database.sqliteConnection
        throw DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: sqlite3_errmsg(connection).map { String(cString: $0) })
    }
}
