import Partitions
import SQLite

/// A line of CSV as RFC 4180 describes it: commas, or for Excel another separator, between values, CRLF at the end.
/// NULL is an empty field, an empty text is `""`.
struct CSVLine {
    private(set) var bytes: [UInt8] = []
    private let form: CSVForm

    init(as form: CSVForm = .plain) {
        self.form = form
    }

    static func header(_ names: [String], as form: CSVForm = .plain) -> [UInt8] {
        Array(names.map { Array($0.utf8) }.joined(separator: [form.separator])) + [0x0D, 0x0A]
    }

    /// Replaces the line by the current row. `columns` describes the row's values.
    mutating func set(to row: Statement, columns: [Table.Column]) throws {
        bytes.removeAll(keepingCapacity: true)
        for index in columns.indices {
            if index > 0 { bytes.append(form.separator) }
            switch row.type(index) {
            case .null: break
            case .real: bytes.append(contentsOf: "\(try row.read(index) as Double)".utf8)
            // The bytes are copied as they are stored, even if they are not valid UTF-8.
            default:
                let text = row.bytes(index)
                if form != .plain, ExcelText.isNeeded(for: text, in: columns[index]) {
                    ExcelText.formula(of: text).withUnsafeBytes { append($0) }
                } else {
                    append(text)
                }
            }
        }
        bytes.append(contentsOf: [0x0D, 0x0A])
    }

    private mutating func append(_ text: UnsafeRawBufferPointer) {
        let quote = UInt8(ascii: "\"")
        guard text.isEmpty || text.contains(where: { [quote, form.separator, 0x0A, 0x0D].contains($0) }) else {
            bytes.append(contentsOf: text)
            return
        }
        bytes.append(quote)
        for byte in text {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        bytes.append(quote)
    }
}

/// A text in a form that Excel does not convert: the formula `="1e5"`. Without it, Excel turns `1e5` into the number
/// 100000, `1-2` into a date, and `=1+1` into a formula.
enum ExcelText {
    /// Columns with names that others gave. Their values are always written as a formula.
    private static let names: Set = ["delivery_id", "label", "campaign", "variant"]
    /// The longest text that Excel allows between two quotes.
    private static let limit = 255

    /// Whether a value must be written as a formula. In columns with other texts, this is so if the value does not
    /// begin with an ASCII letter.
    static func isNeeded(for text: UnsafeRawBufferPointer, in column: Table.Column) -> Bool {
        guard column.type == .text, let first = text.first else { return false }
        let isLetter = UInt8(ascii: "a")...UInt8(ascii: "z") ~= first | 0x20
        return names.contains(column.name) || !isLetter
    }

    /// A long text is made of several, `="…"&"…"`.
    static func formula(of text: UnsafeRawBufferPointer) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        var formula = [UInt8(ascii: "="), quote]
        var count = 0
        for byte in text {
            let beginsCharacter = byte & 0xC0 != 0x80
            // A character has at most four bytes.
            if count > limit - 4, beginsCharacter {
                formula += [quote, UInt8(ascii: "&"), quote]
                count = 0
            }
            if byte == quote { formula.append(quote) }
            formula.append(byte)
            count += 1
        }
        return formula + [quote]
    }
}
