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
}
