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
    func store(in held: HeldOutput) throws {
        // What is not stored is not known, so push.db is made anew.
        if let data = try? JSONEncoder.stored.encode(self),
            held.cache([UInt8](data), as: LeftFile.name, durably: true)
        {
            return
        }
        try LeftFile.forget(in: held.folder)
    }

    /// Makes the next command make push.db anew, which is right at any time.
    static func forget(in folder: OutputFolder) throws {
        guard let cache = folder.ownCachePath else { return }
        let path = "\(cache)/\(name)"
        var status = stat()
        // Nothing is read from a folder of this name, nor from a place that is no folder.
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return }
        try reportingCalls {
            if try WholeFile.remove(path) { try Folder.sync(cache) }
        }
    }
}
