import SQLite

// A command that is killed during its commit leaves a journal beside push.db. The next connection that may write undoes
// the transaction. Until then, SQLite refuses read-only connections, and we read with read-only connections.

extension OutputDatabase {
    /// Undoes the transaction of a killed command. The folder must be writable.
    func rollBack() throws(WarehouseError) {
        try reportingFacts(of: path) {
            let database = try Database(path, whenBusy: whenBusy)
            _ = try database.hasRow("SELECT count(*) FROM sqlite_master")
            database.close()
        }
    }
}
