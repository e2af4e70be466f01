import LogFiles
import Messages
import Records

/// Cuts a CSV file (RFC 4180) into rows, in pieces of any size.
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
struct CSVReader<Consumer: CSVConsumer>: ByteConsumer {
    private enum State {
        /// At the beginning of a field.
        case start
        case plain
        case quoted
        /// After a quote in a quoted field.
        case quote
    }

    private(set) var consumer: Consumer
    /// The first fault. Nothing after it is read.
    private(set) var fault: Message?

    private let path: String
    private var state = State.start
    private var separator: UInt8?
    private var row = CSVRow()
    private var rowBytes = 0
    /// Whether the first row has been read.
    private var hasHeader = false
    /// Whether the row has a quoted field, so that its line is not empty.
    private var hasQuotes = false
    /// Whether the last byte was a CR outside quotes, which may belong to the line's end.
    private var hasReturn = false
    private var line = 1
    private var quoteLine = 1
    /// Whether the field has a byte above 0x7F.
    private var hasHighBytes = false

    private let longestRow: Int

    init(_ consumer: Consumer, path: String, longestRow: Int = longestCSVRow) {
        self.consumer = consumer
        self.path = path
        self.longestRow = longestRow
    }

    mutating func consume(_ bytes: Span<UInt8>, atEnd: Bool) -> Int {
        var index = 0
        while index < bytes.count, fault == nil {
            let end = plainEnd(bytes, from: index)
            if end > index {
                takePlain(bytes.extracting(index..<end))
            } else {
                take(bytes[index])
            }
            index = max(end, index + 1)
        }
        if atEnd, fault == nil { finish() }
        return bytes.count
    }

    /// The end of the bytes from an index on that belong to the current field, whatever comes before and after them.
    private mutating func plainEnd(_ bytes: Span<UInt8>, from start: Int) -> Int {
        if hasReturn || state == .quote { return start }
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte <= 0x2C {
                let isPlain = byte == 0x20 || byte == 0x2C && state == .quoted
                if !isPlain { return index }
            } else if byte == UInt8(ascii: ";"), state != .quoted {
                return index
            } else if byte >= 0x80 {
                hasHighBytes = true
            }
            index += 1
        }
        return index
    }

    private mutating func takePlain(_ bytes: Span<UInt8>) {
        rowBytes += bytes.count
        if isTooLong() { return }
        bytes.withUnsafeBufferPointer { row.bytes.append(contentsOf: $0) }
        if state == .start { state = .plain }
    }

    /// Whether the row has too many bytes, which is a fault.
    private mutating func isTooLong() -> Bool {
        guard rowBytes > longestRow else { return false }
        fault =
            state == .quoted
            ? openQuote : .at(path, line: row.line, "deliveries_long_row", "the row is longer than 1 MiB; shorten it")
        return true
    }

    private mutating func take(_ byte: UInt8) {
        rowBytes += 1
        if isTooLong() { return }
        if state == .quoted {
            if byte == UInt8(ascii: "\"") {
                state = .quote
            } else {
                if byte == UInt8(ascii: "\n") { line += 1 }
                row.bytes.append(byte)
            }
            return
        }
        if hasReturn {
            hasReturn = false
            if byte != UInt8(ascii: "\n") {
                guard hasHeader else {
                    fault = .at(
                        path, line: row.line, "deliveries_bare_return",
                        "the lines end in CR alone; save the file with line endings LF or CRLF")
                    return
                }
                row.bytes.append(UInt8(ascii: "\r"))
                state = .plain
            }
        }
        switch byte {
        case UInt8(ascii: "\n"): endRow()
        case UInt8(ascii: "\r"):
            hasReturn = true
        case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"):
            if separator == nil { separator = byte }
            if byte == separator { endField() } else { append(byte) }
        case UInt8(ascii: "\"") where state == .start:
            state = .quoted
            hasQuotes = true
            quoteLine = line
        case UInt8(ascii: "\"") where state == .quote:
            row.bytes.append(byte)
            state = .quoted
        default:
            append(byte)
        }
    }

    /// The quoted field has no end.
    private var openQuote: Message {
        .at(path, line: quoteLine, "deliveries_open_quote", "a quote begins there and never ends; close it")
    }

    private mutating func append(_ byte: UInt8) {
        if byte >= 0x80 { hasHighBytes = true }
        row.bytes.append(byte)
        state = .plain
    }

    private mutating func endField() {
        checkEncoding()
        row.ends.append(row.bytes.count)
        state = .start
    }

    /// Finds bytes of the current field that are not UTF-8.
    private mutating func checkEncoding() {
        guard hasHighBytes else { return }
        hasHighBytes = false
        let start = row.ends.last ?? 0
        guard let bad = row.bytes.span.invalidUTF8(in: start..<row.bytes.count) else { return }
        let badLine = line - row.bytes[bad...].count { $0 == UInt8(ascii: "\n") }
        fault = .at(
            path, line: badLine, "deliveries_bad_encoding", "the file is not UTF-8 text; export it as UTF-8")
    }

    private mutating func endRow() {
        endField()
        line += 1
        if fault != nil { return }
        if row.count > 1 || !row.bytes.isEmpty || hasQuotes {
            consumer.take(row)
            hasHeader = true
            // The separator stands in the first row, if the file has one.
            if separator == nil { separator = UInt8(ascii: ",") }
        }
        row.bytes.removeAll(keepingCapacity: true)
        row.ends.removeAll(keepingCapacity: true)
        row.line = line
        rowBytes = 0
        hasQuotes = false
        hasReturn = false
    }

    private mutating func finish() {
        if state == .quoted {
            checkEncoding()
            fault = fault ?? openQuote
        } else if rowBytes > 0 {
            endRow()
        }
    }
}

/// The most bytes of a row, with its line's end. It bounds the memory where a quote is not closed.
let longestCSVRow = 1 << 20

/// A row of a CSV file: its fields, without quotes.
struct CSVRow {
    /// The line of the file on which the row begins, from 1.
    var line = 1
    /// The fields, one after the other.
    var bytes: [UInt8] = []
    /// By field: the offset in `bytes` at which it ends.
    var ends: [Int] = []

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

/// Takes the rows of a CSV file.
protocol CSVConsumer {
    mutating func take(_ row: CSVRow)
}
