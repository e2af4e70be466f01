/// Something about a delivery file that a person should know, and that does not keep it from being used.
package enum DeliveryWarning: Equatable, Sendable {
    /// The value in this column cannot be read and counts as empty. Lines count from 1.
    case badValue(path: String, line: Int, column: String)
    /// The row was left out, since its id or platform, in this column, cannot be read.
    case badKey(path: String, line: Int, column: String)
    /// The row was left out, since it has more fields than the header.
    case tooManyFields(path: String, line: Int)
    /// The counts that the files give for the platforms of these deliveries add up to more than 2^63 − 1.
    case uncountable(deliveries: [String])
    /// So many further rows and values of the file cannot be read.
    case moreFaults(path: String, count: Int)
    /// The file has a header and nothing else.
    case noRows(path: String)
    /// Bytes after the gzip data, from this offset on, were ignored.
    case trailingBytes(path: String, offset: Int)
}
