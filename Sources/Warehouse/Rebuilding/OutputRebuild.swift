import Foundation
import Posix
import SQLite

/// What became of the content of a push.db that was made anew.
package struct OutputRebuild: Equatable, Sendable {
    /// The schema version of a file that an earlier version of the program wrote; nil for others.
    package internal(set) var earlierSchema: Int?
    /// The path of a copy of the former file; nil if the new one has all that was in it and cannot be computed.
    package internal(set) var copy: String?
    /// What others have added to the former file.
    package internal(set) var foreign = ForeignCopy()
}

extension OutputDatabase {
    /// Makes push.db anew. Its tables are filled by `fill`. The history, and what others have added, is copied from the
    /// present file.
    ///
    /// A file that SQLite can read is overwritten in one transaction: it keeps its name, inode, owner, links and readers.
    /// Another is replaced by renaming. What could not be copied is kept in a copy of the file.
    func rebuild(
        isStopped: @escaping @Sendable () -> Bool, _ fill: (Database, inout TableDigests) throws -> Void
    ) throws(WarehouseError) -> OutputRebuild {
        let isThere = FileStamp(path: path).map { $0.bytes > 0 } ?? false
        let former = isThere ? try FormerOutput(self, isStopped: isStopped) : nil
        defer { former?.close() }
        // The new file, and the journal of the transaction.
        if let former { try checkRoom(for: 2 * former.bytes) }
        let temporary = folder.temporaryDatabasePath
        let file = try createTemporary(temporary)
        defer {
            file.close()
            unlink(temporary)
        }
        var result = OutputRebuild()
        var digests = TableDigests()
        let new = try reporting { try Connection(path: temporary, configuration: configuration(isStopped)) }
        if let connection = former?.connection {
            try reporting {
                try connection.inDatabase { former in
                    try make(new, &digests, from: former, fill, &result)
                }
            }
        } else {
            try reporting { try make(new, &digests, from: nil, fill, &result) }
        }
        if let former, former.damage != nil || !result.foreign.leftOut.isEmpty { result.copy = try former.keepCopy() }
        var committing = OutputDigests(OutputDigests(in: folder)?.digests ?? TableDigests())
        committing.committing = digests
        try reporting { try committing.store(in: folder) }
        if let connection = former?.connection {
            try reporting { try new.backup(to: connection) }
            // The stamp is taken while the lock is held, and compared after it.
            try leave(digests)
        } else {
            try reporting { try new.close() }
            try install(file)
            try leave(digests)
        }
        return result
    }

    /// Fills a new database, in one transaction.
    private func make(
        _ new: Connection, _ digests: inout TableDigests, from former: Database?,
        _ fill: (Database, inout TableDigests) throws -> Void, _ result: inout OutputRebuild
    ) throws {
        try new.inDatabase { database in
            // A crash leaves a temporary file that nobody reads.
            try database.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
            try database.inTransaction(.exclusive) {
                let foreign = try former.map { ForeignObjects(try OutputObjects($0), from: $0, into: database) }
                try foreign?.copyNamesakes()
                try file.mark(database)
                for table in OutputSchema.tables { try database.execute(sql: table.creation) }
                try OutputStatistics.write(to: database)
                try foreign?.copyHistory()
                try fill(database, &digests)
                try foreign?.copy()
                for table in OutputSchema.kept { try digests.read(table, in: database) }
                if let foreign { result.foreign = foreign.result }
                return .commit
            }
        }
    }

    /// The new file has the permissions and the owner of the file that it replaces.
    private func createTemporary(_ temporary: String) throws(WarehouseError) -> FileDescriptor {
        let file = try reportingCalls { () throws(SystemError) in
            try WholeFile.remove(temporary)
            return try FileDescriptor(creating: temporary)
        }
        var former = stat()
        if stat(path, &former) == 0 {
            fchmod(file.number, former.st_mode & 0o777)
            // Only root may give a file away. Otherwise it belongs to the user who runs the command.
            _ = fchown(file.number, former.st_uid, former.st_gid)
        }
        return file
    }

    private func install(_ temporary: FileDescriptor) throws(WarehouseError) {
        let target = filePath
        try reportingCalls { () throws(SystemError) in
            try temporary.sync()
            // Files that SQLite left beside the old file would be taken for files of the new one.
            for suffix in ["-journal", "-wal", "-shm"] { try WholeFile.remove(target + suffix) }
            try WholeFile.rename(temporary.path, to: target)
            try Folder.sync(Folder.parent(of: target))
        }
    }

    /// - Throws: `.noRoom` if the disk has less free.
    func checkRoom(for bytes: Int) throws(WarehouseError) {
        var status = statvfs()
        guard statvfs(folder.path, &status) == 0 else { return }
        let free = Int(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
        if free < bytes { throw .noRoom(path: path, bytes: bytes, free: free) }
    }
}
