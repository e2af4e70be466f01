import Counting
import Events
import Hashing
import SQLite

/// The sum of the hashes of rows, in any order. It detects changed bytes: SQLite checks only the structure of its
/// pages. A partition stores the hash of all its rows, so the hash function must not change. Blocks of events have a
/// hash of their own.
package struct ContentHash: Sendable {
    package private(set) var value: UInt64 = 0

    package init() {}

    package mutating func add(_ row: some Sequence<DatabaseValue>, of table: String) {
        var table = table
        var state = table.withUTF8 { WordHash.of($0.span) }
        for value in row {
            let (kind, word): (UInt64, UInt64) =
                switch value {
                case .null: (0, 0)
                case .int64(let number): (1, UInt64(bitPattern: number))
                case .double(let number): (2, number.bitPattern)
                case .string(let text): (3, WordHash.of(text.utf8.span))
                case .blob(let bytes): (4, WordHash.of(bytes.span))
                }
            state = WordHash.mix(WordHash.mix(state ^ kind) ^ word)
        }
        value &+= state ^ (state >> 29)
    }

    /// Adds a block's row of the table `events`, without its bytes.
    mutating func add(_ entry: BlockEntry, in section: Section) {
        add(
            [DatabaseValue].of(
                section.idSpace, Int(section.kind.rawValue), entry.number, entry.first.bytes, entry.last.bytes,
                entry.events), of: "events")
    }

    static func += (sum: inout ContentHash, other: ContentHash) { sum.value &+= other.value }
}
