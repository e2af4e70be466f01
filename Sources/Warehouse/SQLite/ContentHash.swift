import Counting
import Events
import GRDB
import Hashing

/// The sum of the hashes of a table's rows, in any order. It detects changed bytes in a partition, because SQLite
/// checks only the structure of its pages. Blocks of events have their own hash.
struct ContentHash: Sendable {
    private(set) var value: UInt64 = 0
    private var bytes: [UInt8] = []

    mutating func add(_ values: some Sequence<DatabaseValue>) {
        bytes.removeAll(keepingCapacity: true)
        for value in values {
            switch value.storage {
            case .null: bytes.append(0)
            case .int64(let number): append(1, UInt64(bitPattern: number))
            case .double(let number): append(2, number.bitPattern)
            case .string(var text): text.withUTF8 { append($0.span) }
            case .blob(let data):
                append(4, UInt64(data.count))
                bytes.append(contentsOf: data)
            }
        }
        value &+= WordHash.of(bytes.span)
    }

    /// A row of an integer and a text.
    mutating func add(_ number: Int64, _ text: Span<UInt8>) {
        bytes.removeAll(keepingCapacity: true)
        append(1, UInt64(bitPattern: number))
        append(text)
        value &+= WordHash.of(bytes.span)
    }

    /// A row of integers.
    @inline(__always)
    mutating func add<let count: Int>(_ numbers: InlineArray<count, Int64>) {
        var words = InlineArray<count, UInt64>(repeating: 0)
        for index in 0..<count { words[index] = UInt64(bitPattern: numbers[index]) }
        value &+= RowHash.of(words)
    }

    /// The row of a block without its bytes.
    mutating func add(_ entry: BlockEntry, _ section: Section) {
        var idSpace = section.idSpace
        let space = idSpace.withUTF8 { WordHash.of($0.span) }
        let (first, last) = (entry.first, entry.last)
        value &+= RowHash.of([
            space, UInt64(section.kind.rawValue), first.high, first.low, last.high, last.low, UInt64(entry.events),
        ])
    }

    private mutating func append(_ text: Span<UInt8>) {
        append(3, UInt64(text.count))
        text.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ kind: UInt8, _ word: UInt64) {
        bytes.append(kind)
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }
}
