/// Looks for what may hold records in the bytes after a gzip file's last member, which come in parts: a line of text, or the
/// magic number of a member.
///
/// A line of text is printable ASCII up to a line end, or sixteen bytes of it in a row.
struct RecordSearch {
    private static let longText = 16

    private(set) var hasFound = false
    /// The last four bytes, the latest one lowest.
    private var last: UInt32 = 0
    /// The number of printable bytes before the next byte.
    private var printable = 0
    /// Whether there are only printable bytes since the last line end.
    private var isText = true

    mutating func take(_ bytes: Span<UInt8>) {
        for index in bytes.indices where !hasFound { take(bytes[index]) }
    }

    private mutating func take(_ byte: UInt8) {
        last = last << 8 | UInt32(byte)
        if last & 0xFFFF == 0x1F8B || last == 0x28B5_2FFD { hasFound = true }
        switch byte {
        case 0x09, 0x20...0x7E:
            printable += 1
            if printable == RecordSearch.longText { hasFound = true }
        case 0x0A, 0x0D:
            if isText, printable > 0 { hasFound = true }
            (printable, isText) = (0, true)
        default: (printable, isText) = (0, false)
        }
    }
}
