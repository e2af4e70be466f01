import Foundation
import GRDB

/// Lines of CSV as RFC 4180 has them: commas between the values, CRLF at the end. NULL is empty, an empty text is `""`.
struct CSVLine {
    private(set) var bytes: [UInt8] = []

    static func header(_ names: [String]) -> [UInt8] { Array(names.joined(separator: ",").utf8) + [0x0D, 0x0A] }

    /// Replaces the line by that of a row.
    mutating func set(_ row: Row) throws {
        bytes.removeAll(keepingCapacity: true)
        for index in 0..<row.count {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            let value: DatabaseValue = row[index]
            switch value.storage {
            case .null: break
            case .int64(let number): bytes.append(contentsOf: String(number).utf8)
            case .double(let number): bytes.append(contentsOf: "\(number)".utf8)
            // A string of GRDB's ends before the first NUL.
            case .string: append(try row.withUnsafeData(atIndex: index) { Array($0 ?? Data()) })
            case .blob(let data): append([UInt8](data))
            }
        }
        bytes.append(contentsOf: [0x0D, 0x0A])
    }

    private mutating func append(_ text: [UInt8]) {
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
