import Foundation
import Partitions
import Posix

/// What a command has left: which push.db, and which ledger. If one of them is another file now, or was written since, something
/// else has changed it.
///
/// It is the file `partitions/.kept/left`. If it is missing, nobody knows, and all is compared.
struct LeftFiles: Codable, Equatable, Sendable {
    /// The ledger's name for the output.
    var output: String
    /// Nil if there was none.
    var ledger: OutputStamp?
    var push: OutputStamp?
    /// Whether a command has begun to write them. Then they may be some transactions further.
    var isWriting = false

    private static let name = "left"
    /// More transactions than a command makes.
    private static let mostTransactions: UInt32 = 16

    init(output: String, ledger: OutputStamp? = nil, push: OutputStamp? = nil) {
        self.output = output
        self.ledger = ledger
        self.push = push
    }

    /// Nil if nobody knows what was left.
    init?(in folder: OutputFolder) {
        guard let left: LeftFiles = folder.cachedValue(LeftFiles.name) else { return nil }
        self = left
    }

    /// Whether a file is the one that was left, or that a command was writing when it ended.
    func isLeft(_ path: String, _ stamp: OutputStamp?) -> Bool {
        guard let stamp, let now = OutputStamp(path) else { return false }
        if now == stamp { return true }
        return isWriting && now.file.inode == stamp.file.inode && now.file.device == stamp.file.device
            && now.transactions &- stamp.transactions < LeftFiles.mostTransactions
    }

    /// Stores it durably: after a power failure it tells what was left.
    /// - Throws: if what is stored there can neither be replaced nor removed.
    func store(in held: HeldOutput) throws(WarehouseError) {
        if let data = try? JSONEncoder.stored.encode(self),
            held.cache([UInt8](data), as: LeftFiles.name, durably: true)
        {
            return
        }
        try LeftFiles.forget(in: held.folder)
    }

    /// Makes the next command compare all, which is right at any time.
    static func forget(in folder: OutputFolder) throws(WarehouseError) {
        let path = "\(folder.cachePath)/\(name)"
        var status = stat()
        // Nothing is read from a folder of this name, nor from a place that is no folder.
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return }
        try reportingCalls { () throws(SystemError) in
            if try WholeFile.remove(path) { try Folder.sync(folder.cachePath) }
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
}
