import SQLite

extension OutputDatabase {
    /// Seconds to wait for a reader before the rows are left to the next publishing.
    private static let patience = 1.0

    /// Adds a command that published nothing to the history. If a reader is in the way, or the next command rebuilds push.db,
    /// the rows wait for the next publishing. The caller must hold the output's lock.
    package func record(_ record: CommandRecord) throws(WarehouseError) {
        do throws(WarehouseError) {
            try OutputDatabase(folder, busyTimeout: min(busyTimeout, OutputDatabase.patience)).append(record)
        } catch {
            switch error {
            case .busy, .replaced: try leave(record)
            case _ where error.isDamage: try leave(record)
            default: throw error
            }
        }
    }

    /// Stores a command's history rows for the next publishing. The caller must hold the output's lock.
    package func leave(_ record: CommandRecord) throws(WarehouseError) {
        var waiting = try WaitingRecords(in: folder)
        try waiting.append(record)
    }

    /// Adds a command to the history.
    /// - Throws: `.replaced` if push.db is not as the last command left it.
    package func append(_ record: CommandRecord) throws(WarehouseError) {
        guard isAsLeft else { throw .replaced(path: path) }
        let waiting = try WaitingRecords(in: folder)
        try write(try state()) { database, _ in
            try waiting.insert(into: database)
            try record.insert(into: database)
            return true
        }
        waiting.remove()
    }
}
