import GRDB

// A command that is killed while it commits leaves its journal beside push.db. SQLite undoes the transaction as soon as
// anybody opens the file who may write; until then it refuses those who open it read-only, as we do to read.

extension OutputDatabase {
    /// Undoes what a killed command began. The folder must be writable.
    func rollBack() throws(WarehouseError) {
        try reportingFacts(of: path) {
            let queue = try DatabaseQueue(
                path: path, configuration: DatabaseFile.configuration(busyTimeout: busyTimeout))
            _ = try queue.inDatabase { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
            try queue.close()
        }
    }
}
