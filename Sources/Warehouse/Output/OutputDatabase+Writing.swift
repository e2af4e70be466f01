import Foundation
import GRDB
import Posix

extension OutputDatabase {
    /// Repairs the output DB as `check` requires, and changes it with `body`, all in one transaction. The transaction
    /// is rolled back if `body` returns false and nothing needs repair. `body` also sets the digests of all tables that
    /// it writes except `runs` and `loads`. While other connections lock the database, `isStopped` is called several
    /// times a second.
    ///
    /// - Returns: the indexes of others that could not be created again.
    @discardableResult
    func write(
        _ check: OutputCheck, isStopped: @escaping @Sendable () -> Bool = { false },
        _ body: (Database, inout TableDigests) throws -> Bool
    ) throws(WarehouseError) -> [String] {
        do throws(WarehouseError) {
            return check.needsNewFile
                ? try writeNewFile(check, body) : try writeInPlace(check, isStopped, body)
        } catch {
            if case .busy = error, isStopped() { throw .stopped }
            throw error
        }
    }

    private func writeInPlace(
        _ check: OutputCheck, _ isStopped: @escaping @Sendable () -> Bool,
        _ body: (Database, inout TableDigests) throws -> Bool
    ) throws(WarehouseError) -> [String] {
        let before = check.digests ?? TableDigests()
        var digests = before
        var lost: [String] = []
        try reportingFacts(of: path) {
            let queue = try DatabaseQueue(path: path, configuration: configuration(isStopped))
            try queue.inDatabase { database in
                // Changed pages stay in memory until the commit, so that readers are locked out only then.
                try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA cache_spill = OFF")
                if check.hasWAL { try leaveWAL(database, isStopped) }
                try database.inTransaction(.immediate) {
                    guard check.hasWAL || FileStamp(path: path) == check.stamp else {
                        throw WarehouseError.replaced(path: path)
                    }
                    let repair = OutputRepair(check)
                    try repair.begin(in: database, file)
                    var new = before
                    let isChanged = try body(database, &new)
                    lost = try repair.end(in: database)
                    guard isChanged || check.needsWriting else { return .rollback }
                    digests = new
                    try cacheCommitting(&digests, before, database)
                    return .commit
                }
            }
            try queue.close()
        }
        cache(digests)
        return lost
    }

    /// Writes a temporary file and renames it to push.db, durably. Connections that read the old file continue to read
    /// it.
    private func writeNewFile(
        _ check: OutputCheck, _ body: (Database, inout TableDigests) throws -> Bool
    ) throws(WarehouseError) -> [String] {
        let temporary = folder.temporaryDatabasePath
        defer { unlink(temporary) }
        unlink(temporary)
        let new = try createTemporary(temporary)
        defer { new.close() }
        var digests = TableDigests()
        try reportingFacts(of: path) {
            let queue = try DatabaseQueue(
                path: temporary, configuration: DatabaseFile.configuration(busyTimeout: busyTimeout))
            try queue.inDatabase { database in
                // A crash leaves a temporary file that nobody reads, so one sync at the end is enough.
                try database.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
                try database.inTransaction(.exclusive) {
                    try file.mark(database)
                    for table in OutputSchema.tables { try database.execute(sql: table.creation) }
                    try OutputStatistics.write(to: database)
                    for table in OutputSchema.history {
                        for row in check.history[table.name] ?? [] { _ = try table.insertIfNew(row, into: database) }
                    }
                    _ = try body(database, &digests)
                    try cacheCommitting(&digests, TableDigests(), database)
                    return .commit
                }
            }
            try queue.close()
        }
        try install(new)
        cache(digests)
        return []
    }

    /// The new file has the permissions of the file that it replaces.
    private func createTemporary(_ temporary: String) throws(WarehouseError) -> FileDescriptor {
        let file = try reportingCalls { () throws(SystemError) in try FileDescriptor(creating: temporary) }
        var former = stat()
        if stat(path, &former) == 0 { fchmod(file.number, former.st_mode & 0o777) }
        return file
    }

    private func install(_ temporary: FileDescriptor) throws(WarehouseError) {
        try reportingCalls { () throws(SystemError) in
            try temporary.sync()
            // Files that SQLite left beside the old file would be taken for files of the new one.
            for suffix in ["-journal", "-wal", "-shm"] { try WholeFile.remove(path + suffix) }
            try WholeFile.rename(temporary.path, to: path)
            try Folder.sync(folder.path)
        }
    }

    /// Caches both digests just before the commit, because a kill may come before or after the commit.
    private func cacheCommitting(_ digests: inout TableDigests, _ before: TableDigests, _ database: Database) throws {
        for table in OutputSchema.history { try digests.read(table, in: database) }
        var cached = OutputDigests(before)
        cached.committing = digests
        cached.store(in: folder)
    }

    /// Caches the state of the file, unless that is cached already.
    private func cache(_ digests: TableDigests) {
        guard !isAsLeft else { return }
        var cached = OutputDigests(digests)
        cached.stamp = FileStamp(path: path)
        cached.changeCounter = DatabaseFile.changeCounter(path)
        cached.store(in: folder)
    }

    /// Ends WAL mode, which another tool may have set. Waits until no other connection is open, because SQLite does not
    /// wait for that.
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
}
