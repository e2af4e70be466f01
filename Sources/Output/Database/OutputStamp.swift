import Partitions
import Posix

/// Identifies the content of push.db without reading it: the file's stamp, and SQLite's counter of transactions. The
/// counter tells two transactions apart even if the file's times are equal.
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

    /// The stamp after one transaction of ours. If any other transaction came in between, a stamp that the file cannot
    /// have, so that the next command looks at the file.
    init?(_ path: String, after before: OutputStamp) {
        let expected = before.transactions &+ 1
        guard let now = OutputStamp(path) else { return nil }
        let isOurs =
            now.transactions == expected && now.file.inode == before.file.inode && now.file.device == before.file.device
        file = isOurs ? now.file : before.file
        transactions = expected
    }

    /// The stamp of a file after it was renamed to this path. Renaming may only change the file's time of change; if
    /// more has changed, the stamp from before.
    init?(_ path: String, renamed before: OutputStamp) {
        guard let now = OutputStamp(path) else { return nil }
        let a = now.file
        let b = before.file
        let isSame = a.bytes == b.bytes && a.modified == b.modified && a.inode == b.inode && a.device == b.device
        self = isSame && now.transactions == before.transactions ? now : before
    }
}
