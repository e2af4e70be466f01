import Messages
import Records

/// Cuts a CSV file (RFC 4180) into rows.
///
///     "delivery_id";"label"⏎           delivery_id    label
///     d57fd6;"Black ""Friday"";        d57fd6         Black "Friday";
///     wave 2"⏎                                        wave 2
///
/// - Fields are separated by whichever of `,`, `;` and tab stands first in the first row outside quotes; by `,` if none
///   does.
/// - A field that begins with a quote ends at the next quote that is not doubled. What follows up to the separator
///   belongs to it. Quotes elsewhere are characters like others.
/// - Lines end in LF or CRLF. Empty lines are skipped.
struct CSVReader {
    private enum State {
        /// At the beginning of a field.
        case start
        case plain
        case quoted
        /// After a quote in a quoted field.
        case quote
    }

    /// The first fault. Nothing after it is read.
    private(set) var fault: Message?

    private let path: String
    private var separator: UInt8?
    /// Whether the first row has been read.
    private var hasHeader = false
    private var row = CSVRow()
    /// Whether the row has a quoted field, so that its line is not empty.
    private var hasQuotes = false
    /// The line breaks within the row's fields.
    private var lineBreaks = 0

    init(path: String) { self.path = path }

    /// Calls `take` with each whole row.
    ///
    /// - Parameter atEnd: whether the file ends here, so that bytes without a line end are a row, too.
    /// - Returns: the number of bytes taken. Pass the other bytes again, followed by more.
    mutating func read(_ bytes: Span<UInt8>, atEnd: Bool, _ take: (CSVRow) -> Void) -> Int {
        var start = 0
        while start < bytes.count, fault == nil, let end = readRow(bytes, from: start, atEnd: atEnd) {
            checkEncoding()
            if fault == nil, row.count > 1 || !row.bytes.isEmpty || hasQuotes {
                take(row)
                hasHeader = true
                // The separator stands in the first row, if the file has one.
                separator = separator ?? UInt8(ascii: ",")
            }
            row.line += lineBreaks + 1
            start = end
        }
        return fault == nil ? start : bytes.count
    }

    /// Reads the row that begins at `start`. Returns its end; nil if it is not whole.
    private mutating func readRow(_ bytes: Span<UInt8>, from start: Int, atEnd: Bool) -> Int? {
        row.bytes.removeAll(keepingCapacity: true)
        row.ends.removeAll(keepingCapacity: true)
        (hasQuotes, lineBreaks) = (false, 0)
        var (state, quoteLine) = (State.start, row.line)
        // Whether the last byte was a CR outside quotes, which may belong to the line's end.
        var hasReturn = false
        let limit = min(bytes.count, start + longestCSVRow)
        for index in start..<limit {
            let byte = bytes[index]
            if state == .quoted {
                if byte == UInt8(ascii: "\n") { lineBreaks += 1 }
                if byte == UInt8(ascii: "\"") { state = .quote } else { row.bytes.append(byte) }
                continue
            }
            if byte == UInt8(ascii: "\n") {
                row.ends.append(row.bytes.count)
                return index + 1
            }
            if hasReturn {
                guard hasHeader else {
                    fault = .at(
                        path, line: row.line, "deliveries_bare_return",
                        "the lines end in CR alone; save the file with line endings LF or CRLF")
                    return nil
                }
                row.bytes.append(UInt8(ascii: "\r"))
                state = .plain
            }
            hasReturn = byte == UInt8(ascii: "\r")
            switch byte {
            case UInt8(ascii: "\r"): break
            case UInt8(ascii: "\"") where state == .start:
                (state, hasQuotes, quoteLine) = (.quoted, true, row.line + lineBreaks)
            case UInt8(ascii: "\"") where state == .quote:
                row.bytes.append(byte)
                state = .quoted
            case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"):
                separator = separator ?? byte
                guard byte == separator else { fallthrough }
                row.ends.append(row.bytes.count)
                state = .start
            default:
                row.bytes.append(byte)
                state = .plain
            }
        }
        guard atEnd || limit < bytes.count else { return nil }
        let isTooLong = limit < bytes.count
        if state == .quoted {
            if !isTooLong { checkEncoding() }
            let text: MessageText = "a quote begins there and never ends; close it"
            fault = fault ?? .at(path, line: quoteLine, "deliveries_open_quote", text)
        } else if isTooLong {
            fault = .at(path, line: row.line, "deliveries_long_row", "the row is longer than 1 MiB; shorten it")
        }
        row.ends.append(row.bytes.count)
        return fault == nil ? limit : nil
    }

    /// Finds bytes of a field that are not UTF-8.
    private mutating func checkEncoding() {
        guard row.bytes.contains(where: { $0 >= 0x80 }) else { return }
        var start = 0
        for end in row.ends + [row.bytes.count] {
            if let bad = row.bytes.span.invalidUTF8(in: start..<end) {
                let badLine = row.line + row.bytes[..<bad].count { $0 == UInt8(ascii: "\n") }
                fault = .at(
                    path, line: badLine, "deliveries_bad_encoding", "the file is not UTF-8 text; export it as UTF-8")
                return
            }
            start = end
        }
    }
}

/// The most bytes of a row, with its line's end. It bounds the memory where a quote is not closed.
let longestCSVRow = 1 << 20

/// A row of a CSV file: its fields, without quotes.
struct CSVRow {
    /// The line of the file on which the row begins, from 1.
    fileprivate(set) var line = 1
    /// The fields, one after the other.
    fileprivate(set) var bytes: [UInt8] = []
    /// By field: the offset in `bytes` at which it ends.
    fileprivate var ends: [Int] = []

    var count: Int { ends.count }

    /// The range of a field in `bytes`; empty if the row has fewer fields.
    func range(_ field: Int) -> Range<Int> {
        guard field < count else { return 0..<0 }
        return (field == 0 ? 0 : ends[field - 1])..<ends[field]
    }

    func text(_ field: Int) -> String {
        String(decoding: bytes[range(field)], as: UTF8.self)
    }
}
