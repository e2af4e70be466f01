import Calendar
import Foundation
import Hashing
import Posix
import SQLite

/// The push.db that is about to be rebuilt. It is locked, so that nobody writes to it between the copying and the end.
final class FormerOutput {
    /// A connection with an exclusive lock; nil if SQLite cannot read the file.
    let connection: Connection?
    /// Why SQLite cannot read it; nil if it can.
    let damage: String?
    private let output: OutputDatabase
    // Opened before SQLite opens the file, and closed after it: the system drops all of a process's locks on a file as
    // soon as the process closes any descriptor of it.
    private let file: FileDescriptor

    private static let prefix = "push.db.before-"
    private static let mostCopies = 3

    /// - Throws: `.busy` if others hold the file for too long.
    init(_ output: OutputDatabase, isStopped: @escaping @Sendable () -> Bool) throws(WarehouseError) {
        let file = try reportingCalls { () throws(SystemError) in try FileDescriptor(file: output.filePath, O_RDWR) }
        self.output = output
        self.file = file
        do throws(WarehouseError) {
            connection = try FormerOutput.connect(output, bytes: FileStamp(file)?.bytes ?? 0, isStopped)
            damage = nil
        } catch {
            (connection, damage) = (nil, error.damage)
            do throws(WarehouseError) {
                if damage == nil { throw error }
                try lock(isStopped)
            } catch {
                file.close()
                throw error
            }
        }
    }

    private static func connect(
        _ output: OutputDatabase, bytes: Int, _ isStopped: @escaping @Sendable () -> Bool
    ) throws(WarehouseError) -> Connection {
        // SQLite takes a few arbitrary bytes for an empty database.
        if bytes < 512 { throw .notSQLite(path: output.path) }
        return try output.reporting {
            let queue = try Connection(path: output.path, configuration: output.configuration(isStopped))
            try queue.inDatabase { database in
                try output.leaveWAL(database, isStopped)
                // The lock that the transaction takes stays until the connection is closed.
                try database.execute(
                    sql: "PRAGMA synchronous = EXTRA; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
                _ = try OutputObjects(database)
            }
            return queue
        }
    }

    /// Releases the lock.
    func close() {
        // Nothing is left to be written.
        try? connection?.close()
        file.close()
    }

    /// Its size in bytes.
    var bytes: Int { FileStamp(file)?.bytes ?? 0 }

    /// Takes the lock that SQLite takes to write: 512 bytes from 2^30 on.
    private func lock(_ isStopped: () -> Bool) throws(WarehouseError) {
        var range = flock()
        range.l_type = Int16(F_WRLCK)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = 1 << 30
        range.l_len = 512
        try output.waiting(isStopped) { () throws(WarehouseError) in
            if fcntl(file.number, F_SETLK, &range) == 0 { return true }
            guard errno == EAGAIN || errno == EACCES else {
                throw .system(path: output.path, call: "fcntl", errno: errno)
            }
            return false
        }
    }

    /// Keeps a copy of the file beside push.db, and returns its path. A copy with the same bytes is taken for it.
    /// - Throws: `.tooManyCopies`, or if there is no room.
    func keepCopy() throws(WarehouseError) -> String {
        let folder = output.folder.path
        let copies = try OutputFolder.names(in: folder).filter(OwnName.isCopy).sorted()
            .map { "\(folder)/\($0)" }
        for copy in copies where try isCopy(copy) { return copy }
        guard copies.count < FormerOutput.mostCopies else { throw .tooManyCopies(path: output.path, copies: copies) }
        try output.checkRoom(for: bytes)
        let time = CalendarText.dateTime(ofMilliseconds: FileStamp.now() / 1_000_000)
        let name = time.replacing("-", with: "").replacing(":", with: "").replacing(" ", with: "T") + "Z"
        let copy = "\(folder)/\(FormerOutput.prefix)\(name)"
        var status = stat()
        let mode = fstat(file.number, &status) == 0 ? status.st_mode & 0o777 : nil
        try reportingCalls { () throws(SystemError) in
            try WholeFile.replace(copy, durably: true, mode: mode) { copy throws(SystemError) in
                try forEachBlock(of: file) { block throws(SystemError) in try copy.write(block) }
            }
        }
        return copy
    }

    private func isCopy(_ path: String) throws(WarehouseError) -> Bool {
        guard FileStamp(path: path)?.bytes == bytes else { return false }
        return try reportingCalls { () throws(SystemError) in
            let copy = try FileDescriptor(file: path)
            defer { copy.close() }
            return try hash(of: copy) == hash(of: file)
        }
    }

    private func hash(of file: FileDescriptor) throws(SystemError) -> String {
        var hash = FileHash()
        try forEachBlock(of: file) { block throws(SystemError) in hash.add(block) }
        return hash.text(byteCount: 0)
    }

    private func forEachBlock(
        of file: FileDescriptor, _ body: (Span<UInt8>) throws(SystemError) -> Void
    ) throws(SystemError) {
        var block = [UInt8](repeating: 0, count: 1 << 18)
        var offset = 0
        while true {
            let count = try file.fill(&block, 0..<block.count, at: offset)
            if count == 0 { return }
            try body(block.span.extracting(0..<count))
            offset += count
        }
    }
}
