import Counting
import Events
import Hashing
import SQLite

/// The sum of the hashes of a table's rows, in any order; 0 if there are none. It detects changed bytes, because SQLite
/// checks only the structure of its pages. Stored in partitions, so it must not change. Blocks of events have their own
/// hash.
struct ContentHash: Sendable {
    private(set) var value: UInt64 = 0
    /// The values of the current row.
    private var bytes: [UInt8] = []

    mutating func addRow(_ values: [DatabaseValue]) {
        for value in values {
            switch value {
            case .null: bytes.append(0)
            case .int64(let number): append(1, UInt64(bitPattern: number))
            case .double(let number): append(2, number.bitPattern)
            case .string(let text): append(3, text.utf8.span)
            case .blob(let blob): append(4, blob.span)
            }
        }
        value &+= WordHash.of(bytes.span)
        bytes.removeAll(keepingCapacity: true)
    }

    /// A row of integers.
    @inline(__always)
    mutating func addRow<let count: Int>(_ numbers: InlineArray<count, Int64>) {
        var words = InlineArray<count, UInt64>(repeating: 0)
        for index in 0..<count { words[index] = UInt64(bitPattern: numbers[index]) }
        value &+= WordHash.of(words)
    }

    /// The row of a block without its bytes.
    mutating func addRow(_ entry: BlockEntry, _ section: Section) {
        var idSpace = section.idSpace
        let space = idSpace.withUTF8 { WordHash.of($0.span) }
        let (first, last) = (entry.first, entry.last)
        value &+= WordHash.of([
            space, UInt64(section.kind.rawValue), first.high, first.low, last.high, last.low, UInt64(entry.events),
        ])
    }

    private mutating func append(_ kind: UInt8, _ text: Span<UInt8>) {
        append(kind, UInt64(text.count))
        text.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ kind: UInt8, _ word: UInt64) {
        bytes.append(kind)
        withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
