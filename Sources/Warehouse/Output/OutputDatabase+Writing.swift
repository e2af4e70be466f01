import Foundation
import GRDB
import Posix

extension OutputDatabase {
    /// Brings the output DB into the state that `check` asks for, and changes it in one transaction, which is undone where
    /// `body` returns false and nothing else is to be done. `body` also says what the digests of the rows are that it
    /// writes, but for `runs` and `loads`. While a reader or another writer holds it, `isStopped` is asked several times a
    /// second.
    ///
    /// - Returns: what of others' tables, views and indexes could not stay.
    @discardableResult
    func write(
        _ check: OutputCheck, isStopped: @escaping @Sendable () -> Bool = { false },
        _ body: (Database, inout TableDigests) throws -> Bool
    ) throws(WarehouseError) -> [String] {
        do throws(WarehouseError) {
            return check.isAnew
                ? try writeAnew(check, body) : try writeInPlace(check, isStopped, body)
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
                // Changed pages stay in memory until the commit, so that readers wait only then.
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
                    try keepCommitting(&digests, before, database)
                    return .commit
                }
            }
            try queue.close()
        }
        keep(digests)
        return lost
    }

    /// Writes a new file aside and puts it in its place, durably. Those who read the former one go on with that.
    private func writeAnew(
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
                // A crash leaves a file that nobody reads, so no journal is kept and no sync made before the last.
                try database.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
                try database.inTransaction(.exclusive) {
                    try file.mark(database)
                    for table in OutputSchema.tables { try database.execute(sql: table.creation) }
                    for table in OutputSchema.history {
                        for row in check.history[table.name] ?? [] { _ = try table.insertIfNew(row, into: database) }
                    }
                    _ = try body(database, &digests)
                    // An index costs less once its rows are there.
                    for sql in OutputSchema.tables.flatMap(\.indexCreations) { try database.execute(sql: sql) }
                    try keepCommitting(&digests, TableDigests(), database)
                    return .commit
                }
            }
            try queue.close()
        }
        try install(new)
        keep(digests)
        return []
    }

    /// With the permissions of the file whose place it takes.
    private func createTemporary(_ temporary: String) throws(WarehouseError) -> FileDescriptor {
        let file = try reportingCalls { () throws(SystemError) in try FileDescriptor(creating: temporary) }
        var former = stat()
        if stat(path, &former) == 0 { fchmod(file.number, former.st_mode & 0o777) }
        return file
    }

    private func install(_ temporary: FileDescriptor) throws(WarehouseError) {
        try reportingCalls { () throws(SystemError) in
            try temporary.sync()
            // What SQLite left beside the former file would be taken for the new one's.
            for suffix in ["-journal", "-wal", "-shm"] { try WholeFile.remove(path + suffix) }
            try WholeFile.rename(temporary.path, to: path)
            try Folder.sync(folder.path)
        }
    }

    /// Just before the commit: a kill may come before or after it.
    private func keepCommitting(_ digests: inout TableDigests, _ before: TableDigests, _ database: Database) throws {
        for table in OutputSchema.history { try digests.read(table, in: database) }
        var kept = OutputDigests(before)
        kept.committing = digests
        kept.keep(in: folder)
    }

    /// Takes note of the file as it is now, unless that is known.
    private func keep(_ digests: TableDigests) {
        guard !isAsLeft else { return }
        var kept = OutputDigests(digests)
        kept.stamp = FileStamp(path: path)
        kept.changeCounter = DatabaseFile.changeCounter(path)
        kept.keep(in: folder)
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
}
