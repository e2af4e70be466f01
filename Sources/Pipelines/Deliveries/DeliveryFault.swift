import LogFiles

/// Why the delivery files cannot be used. What was read of them before stays.
package enum DeliveryFault: Error, Equatable, Sendable {
    /// No file matches the patterns.
    case noFiles(patterns: String)
    case search(FileSearchError)
    /// `code` is the value of `errno`.
    case unreadable(path: String, code: Int32)
    case foreign(ForeignFile)
    case truncated(path: String)
    case damaged(path: String)
    /// Something wrote to the file while it was read.
    case changed(path: String)
    /// A byte that is not UTF-8.
    case badEncoding(path: String, line: Int)
    /// The quoted field that begins on this line has no end.
    case openQuote(path: String, line: Int)
    /// The row that begins on this line is too long.
    case longRow(path: String, line: Int)
    /// A CR without an LF in the header: lines seem to end in CR alone.
    case bareReturn(path: String, line: Int)
    /// The file has no lines.
    case empty(path: String)
    /// The header lacks the column of the ids. `near` is a similar name in it.
    case missingColumn(path: String, line: Int, name: String, near: String?)
    case duplicateColumn(path: String, line: Int, name: String)
}
