import Foundation
import Partitions
import Posix

/// The stamp of push.db as the last command left it. If push.db has another stamp now, another program has changed it.
///
/// It is stored in `partitions/.kept/left`. Without that file, push.db is made anew.
struct LeftFile: Codable, Equatable, Sendable {
    private static let name = "left"

    /// Nil if the state in which push.db was left is not known.
    var push: OutputStamp?
    /// Whether a command has begun to write push.db. If that command was killed, no other program is to blame for the
    /// change.
    var isBeingWritten = false
    /// The file in the place of push.db when the command began. It still belongs to pushetl, whatever its content is.
    private var former: FileStamp?

    init(_ push: OutputStamp?, isBeingWritten: Bool = false, over former: FileStamp? = nil) {
        self.push = push
        self.isBeingWritten = isBeingWritten
        self.former = former
    }

    /// Whether the file is, by its inode, the push.db that a command left or replaced.
    func hasSeen(_ file: FileStamp) -> Bool {
        [push?.file, former].contains { $0.map { $0.inode == file.inode && $0.device == file.device } ?? false }
    }

    /// Nil if there is no record.
    init?(in folder: OutputFolder) {
        guard let left: LeftFile = folder.cachedValue(LeftFile.name) else { return nil }
        self = left
    }

    /// Whether push.db is as it was left.
    func isLeft(_ path: String) -> Bool {
        push != nil && OutputStamp(path) == push
    }

    /// Stores the record durably, so that it survives a power failure.
    /// - Throws: if what is stored there can neither be replaced nor removed.
    func store(in locked: LockedOutput) throws {
        // If the new record cannot be stored, the former one must go too. Without a record, push.db is made anew.
        if let data = try? JSONEncoder.stored.encode(self),
            locked.cache([UInt8](data), as: LeftFile.name, durably: true)
        {
            return
        }
        try LeftFile.forget(in: locked.folder)
    }

    /// Removes the record, so that the next command makes push.db anew. This is always right.
    static func forget(in folder: OutputFolder) throws {
        guard let cache = folder.ownCachePath else { return }
        let path = "\(cache)/\(name)"
        // A folder in this place holds no record, and neither does a path that does not exist.
        guard let kind = FileKind(at: path, followsLinks: false), kind != .folder else { return }
        try reportingCalls {
            if try WholeFile.remove(path) { try Folder.sync(cache) }
        }
    }
}
