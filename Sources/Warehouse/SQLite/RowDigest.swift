import Events
import GRDB
import Hashing

/// The digest of a row of the output DB, built value by value. Changing one value always changes the digest. Digests of
/// several rows are added up, in any order; 0 is the digest of no rows.
struct RowDigest {
    private(set) var value: UInt64 = 0x243F_6A88_85A3_08D3

    @inline(__always)
    mutating func addNull() { mix(0, 0) }

    @inline(__always)
    mutating func add(_ number: Int64) { mix(1, UInt64(bitPattern: number)) }

    @inline(__always)
    mutating func add(_ number: Double) { mix(2, number.bitPattern) }

    /// Adds a text, given by the `WordHash` of its bytes.
    @inline(__always)
    mutating func add(textHash: UInt64) { mix(3, textHash) }

    @inline(__always)
    mutating func add(text: Span<UInt8>) { mix(3, WordHash.of(text)) }

    @inline(__always)
    mutating func add(blob: Span<UInt8>) { mix(4, WordHash.of(blob)) }

    /// The hash of a text for `add(textHash:)`.
    static func hash(of text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { WordHash.of($0.span) }
    }

    mutating func add(_ value: DatabaseValue) {
        switch value.storage {
        case .null: addNull()
        case .int64(let number): add(number)
        case .double(let number): add(number)
        case .string(var text): text.withUTF8 { add(text: $0.span) }
        case .blob(let data): add(blob: data.span)
        }
    }

    @inline(__always)
    private mutating func mix(_ kind: UInt64, _ word: UInt64) {
        value = WordHash.mix(value ^ (word &+ kind &* 0xD1B5_4A32_D192_ED03))
    }
}
