/// Hexadecimal digits, eight at a time in one word: the first digit in the lowest byte, as they lie in memory.
enum HexWord {
    /// How many of the word's bytes, from the lowest on, are hexadecimal digits of either case.
    @inline(__always)
    static func leadingDigits(_ word: UInt64) -> Int {
        let top = eight(0x80)
        // A byte below 0x80 plus (0x80 - n) has its top bit set just if the byte is at least n.
        let low = word & ~top
        let digit = (low &+ eight(0x50)) & ~(low &+ eight(0x46))
        let folded = low | eight(0x20)
        let letter = (folded &+ eight(0x1F)) & ~(folded &+ eight(0x19))
        let others = ~((digit | letter) & ~word) & top
        return others.trailingZeroBitCount >> 3
    }

    /// The number that the first `count` digits write; `count` is 1…8, and they are digits.
    @inline(__always)
    static func value(_ word: UInt64, count: Int) -> UInt64 {
        let nibbles = (word & eight(0x0F)) &+ ((word >> 6) & eight(0x01)) &* 9
        var number = nibbles.byteSwapped >> UInt64(64 - 8 * count)
        number = (number | number >> 4) & 0x00FF_00FF_00FF_00FF
        number = (number | number >> 8) & 0x0000_FFFF_0000_FFFF
        return (number | number >> 16) & 0xFFFF_FFFF
    }
}

/// A word of eight such bytes.
@inline(__always)
func eight(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }
