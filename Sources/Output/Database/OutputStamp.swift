import Partitions
import Posix

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
