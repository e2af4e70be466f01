import Partitions
import SQLite

/// Lines of CSV as RFC 4180 has them: commas between the values, CRLF at the end. NULL is empty, an empty text is `""`.
struct CSVLine {
    private(set) var bytes: [UInt8] = []
    private let form: CSVForm

    init(as form: CSVForm = .plain) {
        self.form = form
    }

    static func header(_ names: [String]) -> [UInt8] { Array(names.joined(separator: ",").utf8) + [0x0D, 0x0A] }

    /// Replaces the line by that of the current row. `columns` are what it holds.
    mutating func set(to row: Statement, columns: [Table.Column]) throws {
        bytes.removeAll(keepingCapacity: true)
        for index in columns.indices {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            switch row.type(index) {
            case .null: break
            case .real: bytes.append(contentsOf: "\(try row.read(index) as Double)".utf8)
            // As it is stored, even if it is no valid UTF-8.
            default:
                let text = row.bytes(index)
                if form == .excel, ExcelText.isNeeded(for: text, in: columns[index]) {
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
        guard text.isEmpty || text.contains(where: { [quote, UInt8(ascii: ","), 0x0A, 0x0D].contains($0) }) else {
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

/// A text as Excel takes it for a text: the formula `="1e5"`. Excel would make the number 100000 of `1e5`, a day of `1-2`,
/// and a formula of `=1+1`.
enum ExcelText {
    /// Columns with names that others gave. Their values are always written as a formula.
    private static let names: Set = ["delivery_id", "label", "campaign", "variant"]
    /// The longest text that Excel allows between two quotes.
    private static let limit = 255

    /// Whether a value of a column is written as a formula. Of other columns these are texts that begin with anything but
    /// an ASCII letter.
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

/// For whom an export writes CSV files.
package enum CSVForm: Sendable {
    /// For programs: values as they are.
    case plain
    /// For a double click in Excel: with a byte order mark, and with texts that Excel leaves alone.
    case excel

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// What a file begins with, before the names of the columns.
    var start: [UInt8] { self == .excel ? CSVForm.byteOrderMark : [] }
}
