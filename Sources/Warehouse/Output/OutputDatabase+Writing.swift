import Foundation
import Posix
import SQLite

extension OutputDatabase {
    /// Changes the output DB with `body` in one transaction, and sets its settings back. The transaction is rolled back if
    /// `body` returns false and no setting had another value. `body` also sets the digests of all tables that it writes
    /// except those of `OutputSchema.kept`. While other connections lock the database, `isStopped` is called several times a
    /// second.
    func write(
        _ state: OutputState, isStopped: @escaping @Sendable () -> Bool = { false },
        _ body: (Database, inout TableDigests) throws -> Bool
    ) throws(WarehouseError) {
        let before = state.digests ?? TableDigests()
        var digests = before
        try reporting {
            let queue = try Connection(path: path, configuration: configuration(isStopped))
            try queue.inDatabase { database in
                // EXTRA also syncs the folder, in which the commit removes the journal. Changed pages stay in memory
                // until the commit, so that readers are locked out only then.
                try database.execute(sql: "PRAGMA synchronous = EXTRA; PRAGMA cache_spill = OFF")
                try leaveWAL(database, isStopped)
                var version = 0
                try database.inTransaction(.immediate) {
                    guard state.hasWAL || FileStamp(path: path) == state.stamp else {
                        throw WarehouseError.replaced(path: path)
                    }
                    try setBack(state.faults, in: database)
                    var new = before
                    guard try body(database, &new) || state.needsWriting else { return .rollback }
                    for table in OutputSchema.kept { try new.read(table, in: database) }
                    digests = new
                    // A kill may come before or after the commit.
                    var committing = OutputDigests(before)
                    committing.committing = digests
                    try committing.store(in: folder)
                    version = try OutputDatabase.dataVersion(database)
                    return .commit
                }
                guard version != 0 else { return }
                let stamp = OutputStamp(path)
                // Another connection may have written since.
                if try OutputDatabase.dataVersion(database) == version { try leave(digests, stamp) }
            }
            try queue.close()
        }
        if !isAsLeft, FileStamp(path: path) == state.stamp { try leave(digests) }
    }

    /// Stores what this command leaves.
    func leave(_ digests: TableDigests) throws(WarehouseError) {
        try reporting { try leave(digests, OutputStamp(path)) }
    }

    private func leave(_ digests: TableDigests, _ stamp: OutputStamp?) throws {
        var left = OutputDigests(digests)
        left.stamp = stamp
        try left.store(in: folder)
        endSuspicion()
    }

    private func setBack(_ faults: OutputFaults, in database: Database) throws {
        for trigger in faults.triggers {
            try database.execute(sql: "DROP TRIGGER \(trigger.name.quoted)")
        }
        guard !faults.settings.isEmpty else { return }
        try OutputStatistics.write(to: database)
        try file.mark(database)
    }

    /// Changes when another connection changes the file.
    private static func dataVersion(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "PRAGMA data_version") ?? 0
    }

    /// Ends WAL mode, which another tool may have set.
    func leaveWAL(_ database: Database, _ isStopped: () -> Bool) throws {
        guard try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal" else { return }
        // SQLite does not wait until no other connection is open.
        try waiting(isStopped) { () throws(WarehouseError) in
            try reporting {
                do {
                    return try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE") == "delete"
                } catch let error as DatabaseError where error.resultCode == .busy {
                    return false
                }
            }
        }
    }

    /// Calls `attempt` until it returns true.
    /// - Throws: `.busy` if that takes too long.
    func waiting(
        _ isStopped: () -> Bool, _ attempt: () throws(WarehouseError) -> Bool
    ) throws(WarehouseError) {
        var triesLeft = Int(busyTimeout / OutputDatabase.pause)
        while try !attempt() {
            guard triesLeft > 0, !isStopped() else { throw .busy(path: path) }
            triesLeft -= 1
            Thread.sleep(forTimeInterval: OutputDatabase.pause)
        }
    }
}
