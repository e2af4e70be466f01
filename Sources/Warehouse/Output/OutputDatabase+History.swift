import GRDB

extension OutputDatabase {
    /// Seconds that rows of the history wait for a reader; the next publishing can write them as well.
    private static let patience = 1.0

    /// Adds a command that published nothing to the history, or leaves its rows to the next publishing where there is no
    /// push.db that can be written now. Only for who holds the output.
    package func record(_ record: CommandRecord) {
        do throws(WarehouseError) {
            try OutputDatabase(folder, busyTimeout: min(busyTimeout, OutputDatabase.patience)).append(record)
        } catch {
            leave(record)
        }
    }

    /// Leaves a command's rows of the history to the next publishing. Only for who holds the output.
    package func leave(_ record: CommandRecord) {
        var waiting = WaitingRecords(in: folder)
        waiting.append(record)
    }

    /// Adds to the history of a push.db that is as the last command left it.
    package func append(_ record: CommandRecord) throws(WarehouseError) {
        guard isAsLeft else { throw .replaced(path: path) }
        let waiting = WaitingRecords(in: folder)
        try write(try check()) { database, _ in
            try waiting.insert(into: database)
            try record.insert(into: database)
            return true
        }
        waiting.remove()
    }
}
