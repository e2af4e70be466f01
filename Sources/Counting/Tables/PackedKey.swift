/// The key of a row of a daily table, packed into two words.
package struct PackedKey: Equatable, Sendable {
    var high: UInt64
    var low: UInt64

    @inline(__always)
    var hash: Int {
        let mixed = (high ^ (low &* 0x9E37_79B9_7F4A_7C15)) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: mixed ^ (mixed >> 32))
    }

    @inline(__always)
    func precedes(_ other: PackedKey) -> Bool {
        high != other.high ? high < other.high : low < other.low
    }
}
