import Foundation
import Partitions
import Posix

/// Which push.db a command has left. If it is another file now, or was written since, something else has changed it.
///
/// It is the file `partitions/.kept/left`. If it is missing, nobody knows, and push.db is made anew.
struct LeftFile: Codable, Equatable, Sendable {
    private static let name = "left"

    /// Nil if nobody knows.
    var push: OutputStamp?
    /// Whether a command has begun to write it. If that did not end, nobody else is to blame.
    var isBeingWritten = false
    /// The file in its place when that began. It is ours too, whatever becomes of its bytes.
    private var former: FileStamp?

    init(_ push: OutputStamp?, isBeingWritten: Bool = false, over former: FileStamp? = nil) {
        self.push = push
        self.isBeingWritten = isBeingWritten
        self.former = former
    }

    /// Whether a file is one that a command has left or found in the place of push.db, by its inode.
    func hasSeen(_ file: FileStamp) -> Bool {
        [push?.file, former].contains { $0.map { $0.inode == file.inode && $0.device == file.device } ?? false }
    }

    /// Nil if nobody knows what was left.
    init?(in folder: OutputFolder) {
        guard let left: LeftFile = folder.cachedValue(LeftFile.name) else { return nil }
        self = left
    }

    /// Whether push.db is the one that was left.
    func isLeft(_ path: String) -> Bool {
        push != nil && OutputStamp(path) == push
    }

    /// Stores it durably: after a power failure it tells what was left.
    /// - Throws: if what is stored there can neither be replaced nor removed.
    func store(in held: HeldOutput) throws(WarehouseError) {
        // What is not stored is not known, so push.db is made anew.
        if let data = try? JSONEncoder.stored.encode(self),
            held.cache([UInt8](data), as: LeftFile.name, durably: true)
        {
            return
        }
        try LeftFile.forget(in: held.folder)
    }

    /// Makes the next command make push.db anew, which is right at any time.
    static func forget(in folder: OutputFolder) throws(WarehouseError) {
        guard let cache = folder.ownCachePath else { return }
        let path = "\(cache)/\(name)"
        var status = stat()
        // Nothing is read from a folder of this name, nor from a place that is no folder.
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return }
        try reportingCalls { () throws(SystemError) in
            if try WholeFile.remove(path) { try Folder.sync(cache) }
        }
    }
}

/// Identifies the content of push.db without reading it: the file's stamp, and SQLite's counter of transactions. The
/// counter tells two transactions apart that are too close for the clock of the file's times.
struct OutputStamp: Codable, Equatable, Sendable {
    let file: FileStamp
    let transactions: UInt32

    /// Nil if there is no such file, or it is written at this moment.
    init?(_ path: String) {
        guard let file = FileStamp(path: path), let transactions = DatabaseFile.changeCounter(path),
            FileStamp(path: path) == file
        else { return nil }
        self.file = file
        self.transactions = transactions
    }

    /// What the commit of a transaction leaves, if nothing else has written the file since it began; else a stamp that the file
    /// does not have, so that the next command looks at it.
    init?(_ path: String, after before: OutputStamp) {
        let expected = before.transactions &+ 1
        guard let now = OutputStamp(path) else { return nil }
        let isOurs =
            now.transactions == expected && now.file.inode == before.file.inode && now.file.device == before.file.device
        file = isOurs ? now.file : before.file
        transactions = expected
    }

    /// The stamp of a file that was renamed to this path, which has changed its time of change alone; else the former one.
    init?(_ path: String, renamed before: OutputStamp) {
        guard let now = OutputStamp(path) else { return nil }
        let a = now.file
        let b = before.file
        let isSame = a.bytes == b.bytes && a.modified == b.modified && a.inode == b.inode && a.device == b.device
        self = isSame && now.transactions == before.transactions ? now : before
    }
}
