import CSQLite
import Partitions
import SQLite

/// Lines of CSV as RFC 4180 has them: commas between the values, CRLF at the end. NULL is empty, an empty text is `""`.
struct CSVLine {
    private(set) var bytes: [UInt8] = []
    private let form: CSVForm

    init(_ form: CSVForm = .plain) {
        self.form = form
    }

    static func header(_ names: [String]) -> [UInt8] { Array(names.joined(separator: ",").utf8) + [0x0D, 0x0A] }

    /// Replaces the line by that of the current row. `columns` are what it holds.
    mutating func set(_ row: Statement, _ columns: [Table.Column]) throws {
        bytes.removeAll(keepingCapacity: true)
        for index in columns.indices {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            switch row.type(index) {
            case SQLITE_NULL: break
            case SQLITE_FLOAT: bytes.append(contentsOf: "\(try row.read(index) as Double)".utf8)
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
