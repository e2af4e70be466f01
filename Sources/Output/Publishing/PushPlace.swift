import CSQLite
import Calendar
import Foundation
import Ledger
import Messages
import Partitions
import Posix
import SQLite

/// The place of push.db: its file, or the target of the link that has its name, also if there is no target yet.
struct PushPlace {
    private let output: OutputDatabase
    /// The path of the file itself.
    private let path: String
    private let folder: String

    private static let prefix = "push.db.before-"
    private static let mostCopies = 3

    init(_ output: OutputDatabase) throws(WarehouseError) {
        self.output = output
        path = output.filePath
        folder = Folder.parent(of: path)
    }

    /// A new push.db is written here, on the same file system, and then renamed.
    var temporaryPath: String { "\(folder)/.push.db.tmp" }

    /// Creates the new file, with the owner, the permissions and the access list of the file that it replaces.
    /// - Throws: also if there is no room.
    func createTemporary() throws(WarehouseError) -> FileDescriptor {
        let bytes = [path, Ledger(of: output.folder).path].compactMap { FileStamp(path: $0)?.bytes }
        try checkRoom(for: bytes.max() ?? 0)
        removeTemporary()
        let file = try reportingCalls { () throws(SystemError) in try FileDescriptor(creating: temporaryPath) }
        var former = stat()
        if stat(path, &former) == 0 {
            fchmod(file.number, former.st_mode & 0o777)
            // Only root may give a file away. Otherwise it belongs to the user who runs the command.
            _ = fchown(file.number, former.st_uid, former.st_gid)
            AccessList(of: path)?.set(on: file)
        }
        return file
    }

    func removeTemporary() {
        for suffix in ["", "-journal"] { unlink(temporaryPath + suffix) }
    }

    /// Gives the new file the place of push.db, durably.
    func install(_ temporary: FileDescriptor) throws(WarehouseError) {
        try reportingCalls { () throws(SystemError) in
            try temporary.sync()
            // Files that SQLite left beside the old file would be taken for files of the new one.
            for suffix in DatabaseFile.companions { try WholeFile.remove(path + suffix) }
            try WholeFile.rename(temporaryPath, to: path)
            try Folder.sync(folder)
        }
    }

    /// Gives the file another name as well, under which it stays when a new one takes its place. Returns that.
    /// - Throws: also if there are enough copies.
    func setAside() throws(WarehouseError) -> String? {
        guard FileStamp(path: path).map({ $0.bytes > 0 }) ?? false else { return nil }
        let copy = try freeName()
        // Some file systems have no second names.
        guard link(path, copy) != 0 else { return copy }
        try reportingCalls { () throws(SystemError) in try WholeFile.rename(path, to: copy) }
        return copy
    }

    /// Keeps a copy of the file beside it, and returns its path.
    /// - Throws: also if there are enough copies, or there is no room.
    func keepCopy() throws(WarehouseError) -> String {
        let copy = try freeName()
        try checkRoom(for: FileStamp(path: path)?.bytes ?? 0)
        let file = try createTemporary()
        defer {
            file.close()
            removeTemporary()
        }
        try reportingFacts(of: output.path) {
            let source = try Database(path, isReadOnly: true, busyTimeout: 30)
            let target = try Database(temporaryPath)
            try target.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
            try source.backup(to: target)
        }
        try reportingCalls { () throws(SystemError) in
            try file.sync()
            try WholeFile.rename(temporaryPath, to: copy)
            try Folder.sync(folder)
        }
        return copy
    }

    private func freeName() throws(WarehouseError) -> String {
        let copies = try OutputFolder.names(in: folder).filter(OwnName.isCopy).sorted().map { "\(folder)/\($0)" }
        guard copies.count < PushPlace.mostCopies else {
            throw .other(
                .at(
                    output.path, "too_many_copies",
                    "must be rebuilt, and a copy of it must be kept first; there are \(copies.count) already: "
                        + copies.map { "\(path: $0)" }.joined(separator: ", ") + "; move one away and run again"))
        }
        // Two in one second have different names.
        var second = FileStamp.now() / 1_000_000
        while true {
            let time = CalendarText.dateTime(ofMilliseconds: second)
            let digits = time.replacing("-", with: "").replacing(":", with: "").replacing(" ", with: "T")
            let name = "\(folder)/\(PushPlace.prefix)\(digits)Z"
            var status = stat()
            if lstat(name, &status) != 0 { return name }
            second += 1000
        }
    }

    /// - Throws: if the disk has less free.
    func checkRoom(for bytes: Int) throws(WarehouseError) {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return }
        let free = Int(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
        guard free < bytes else { return }
        throw .other(
            .at(
                output.path, "no_room",
                "must be rebuilt, which needs \(Text.bytes(bytes)), but the disk has \(Text.bytes(free)) free; "
                    + "nothing is lost: what is loaded stays; make room and run again"))
    }
}

extension Database {
    /// Overwrites another database with the content of this one, in one transaction.
    fileprivate func backup(to other: Database) throws {
        assert(!isInTransaction && !other.isInTransaction)
        guard let backup = sqlite3_backup_init(other.handle, "main", handle, "main") else {
            throw DatabaseError(of: other.handle)
        }
        let code = sqlite3_backup_step(backup, -1)
        guard sqlite3_backup_finish(backup) == SQLITE_OK, code == SQLITE_DONE else {
            throw DatabaseError(of: other.handle)
        }
    }
}
