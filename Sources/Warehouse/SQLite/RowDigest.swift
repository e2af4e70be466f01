import Events
import Hashing

/// The digest of a row of the output DB. Changing one value always changes the digest. Digests of several rows are added
/// up, in any order; 0 is the digest of no rows. Faster than `ContentHash`, which must stay as it is.
struct RowDigest: ValueSink {
    private(set) var value: UInt64 = 0x243F_6A88_85A3_08D3

    mutating func addNull() { mix(0, 0) }
    mutating func add(_ number: Int64) { mix(1, UInt64(bitPattern: number)) }
    mutating func add(_ number: Double) { mix(2, number.bitPattern) }
    mutating func add(text: Span<UInt8>) { mix(3, WordHash.of(text)) }
    mutating func add(blob: Span<UInt8>) { mix(4, WordHash.of(blob)) }

    @inline(__always)
    private mutating func mix(_ kind: UInt64, _ word: UInt64) {
        value = WordHash.mix(value ^ (word &+ kind &* 0xD1B5_4A32_D192_ED03))
    }
}

extension TableRow {
    func digest(_ names: EventNames = EventNames()) -> UInt64 {
        var digest = RowDigest()
        write(names, to: &digest)
        return digest.value
    }
}
