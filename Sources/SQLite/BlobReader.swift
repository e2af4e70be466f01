import CSQLite

/// Reads the blobs of a column, row by row. It copies each once less than a selection does.
package final class BlobReader {
    private let database: Database
    private let table: String
    private let column: String
    private var blob: OpaquePointer?

    package init(of column: String, in table: String, of database: Database) {
        self.database = database
        self.table = table
        self.column = column
    }

    deinit { sqlite3_blob_close(blob) }

    /// The blob of the row with this id; nil if it has more than `most` bytes.
    /// - Throws: `DatabaseError` if there is no such row.
    package func bytes(ofRow row: Int64, atMost most: Int) throws -> [UInt8]? {
        try check(
            blob == nil
                ? sqlite3_blob_open(database.handle, "main", table, column, row, 0, &blob)
                : sqlite3_blob_reopen(blob, row))
        let count = sqlite3_blob_bytes(blob)
        guard Int(count) <= most else { return nil }
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
