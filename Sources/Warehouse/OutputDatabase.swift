import Foundation
import GRDB

/// `push.db`: the daily figures of all partitions together, for BI tools. Every change of it is one transaction.
package struct OutputDatabase: Sendable {
    package let folder: OutputFolder
    /// Seconds between two tries where others hold it.
    private static let pause = 0.02

    /// Seconds to wait for a reader or another writer.
    package let busyTimeout: Double

    package init(_ folder: OutputFolder, busyTimeout: Double = 30) {
        self.folder = folder
        self.busyTimeout = busyTimeout
    }

    package var path: String { folder.databasePath }

    /// Adds to the history of commands.
    package func append(_ run: RunRecord) throws(WarehouseError) {
        try write { database in
            try run.insert(into: database)
            return true
        }
    }

    /// Reads with `body`; nil if there is no output DB yet. While a writer holds it, `isStopped` is asked several times a
    /// second.
    func read<T>(
        isStopped: @escaping @Sendable () -> Bool = { false }, _ body: (Database) throws -> T
    ) throws(WarehouseError) -> T? {
        do throws(WarehouseError) {
            return try readOnly(isStopped, body)
        } catch {
            if case .busy = error, isStopped() { throw .stopped }
            guard case .interrupted = error else { throw error }
            try rollBack()
            return try readOnly(isStopped, body)
        }
    }

    private func readOnly<T>(
        _ isStopped: @escaping @Sendable () -> Bool, _ body: (Database) throws -> T
    ) throws(WarehouseError) -> T? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw .system(path: path, call: "stat", errno: errno)
        }
        var configuration = configuration(isStopped)
        configuration.readonly = true
        return try reportingFacts(of: path) {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            // One read transaction, so that all of it is of one publication.
            return try queue.read { database in
                try DatabaseFile.output(path).check(database) ? try body(database) : nil
            }
        }
    }

    /// Makes the output DB if need be, and changes it in one transaction, which is undone where `body` returns false.
    /// While a reader or another writer holds it, `isStopped` is asked several times a second.
    func write(
        isStopped: @escaping @Sendable () -> Bool = { false }, _ body: (Database) throws -> Bool
    ) throws(WarehouseError) {
        let file = DatabaseFile.output(path)
        do throws(WarehouseError) {
            try write(file, isStopped, body)
        } catch {
            if case .busy = error, isStopped() { throw .stopped }
            throw error
        }
    }

    private func write(
        _ file: DatabaseFile, _ isStopped: @escaping @Sendable () -> Bool, _ body: (Database) throws -> Bool
    ) throws(WarehouseError) {
        try reportingFacts(of: path) {
            let queue = try DatabaseQueue(path: path, configuration: configuration(isStopped))
            try queue.inDatabase { database in
                // Changed pages stay in memory until the commit, so that readers wait only then.
                try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA cache_spill = OFF")
                _ = try file.check(database)
                try leaveWAL(database, isStopped)
                try database.inTransaction(.immediate) {
                    let isNew = try !file.check(database)
                    if isNew {
                        try file.mark(database)
                        for table in OutputSchema.tables { try database.execute(sql: table.creation) }
                    }
                    let isChanged = try body(database)
                    // An index costs less once its rows are there.
                    if isNew {
                        for sql in OutputSchema.tables.flatMap(\.indexCreations) { try database.execute(sql: sql) }
                    }
                    return isChanged || isNew ? .commit : .rollback
                }
            }
            try queue.close()
        }
    }

    /// Turns back the journal of a database that another tool has put into WAL mode: once nobody else has it open, for
    /// which SQLite itself does not wait.
    private func leaveWAL(_ database: Database, _ isStopped: () -> Bool) throws {
        var triesLeft = Int(busyTimeout / OutputDatabase.pause)
        while true {
            do {
                if try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE") == "delete" { return }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {}
            guard triesLeft > 0, !isStopped() else { throw WarehouseError.busy(path: path) }
            triesLeft -= 1
            Thread.sleep(forTimeInterval: OutputDatabase.pause)
        }
    }

    /// Waits for others up to the timeout, or until it is stopped.
    private func configuration(_ isStopped: @escaping @Sendable () -> Bool) -> Configuration {
        let tries = Int(busyTimeout / OutputDatabase.pause)
        var configuration = DatabaseFile.configuration(busyTimeout: busyTimeout)
        configuration.busyMode = .callback { count in
            guard count < tries, !isStopped() else { return false }
            Thread.sleep(forTimeInterval: OutputDatabase.pause)
            return true
        }
        return configuration
    }
}
