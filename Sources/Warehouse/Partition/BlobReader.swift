import CSQLite
import SQLite

/// Reads blobs of one column, row by row. It copies each blob once less than a selection does.
final class BlobReader {
    private let database: Database
    private let table: String
    private let column: String
    private var blob: OpaquePointer?

    init(table: String, column: String, in database: Database) {
        (self.database, self.table, self.column) = (database, table, column)
    }

    deinit { sqlite3_blob_close(blob) }

    /// The bytes of a row's blob; nil if it has more than `limit`.
    /// - Throws: if there is no such row.
    func bytes(row: Int64, atMost limit: Int) throws -> [UInt8]? {
        try check(
            blob == nil
                ? sqlite3_blob_open(database.handle, "main", table, column, row, 0, &blob)
                : sqlite3_blob_reopen(blob, row))
        let count = sqlite3_blob_bytes(blob)
        guard Int(count) <= limit else { return nil }
        return try [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
            // SQLite fills all `count` bytes of the buffer or fails.
            try check(sqlite3_blob_read(blob, buffer.baseAddress, count, 0))
            filled = Int(count)
        }
    }

    private func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw DatabaseError(of: database.handle, sql: "SELECT \(column) FROM \(table)") }
    }
}
