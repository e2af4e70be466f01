/// A fast 64-bit hash of bytes, one word at a time. It is the same on every machine. It is stored in event blocks
/// and partitions, so it must not change. It is not cryptographic.
///
/// Every step is a bijection of the state, so a change within one word always changes the hash. Another change is
/// missed with a probability of 2^-64.
package enum WordHash {
    @inlinable static var multiplier: UInt64 { 0x9E37_79B9_7F4A_7C15 }

    /// The hash of `bytes`; another `seed` gives another hash function.
    package static func of(_ bytes: Span<UInt8>, seed: UInt64 = 0) -> UInt64 {
        let raw = bytes.bytes
        let count = raw.byteCount
        var state = seed ^ (UInt64(truncatingIfNeeded: count) &* multiplier)
        var offset = 0
        while offset &+ 8 <= count {
            let word = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
            state = mix(state ^ word)
            offset &+= 8
        }
        if offset < count {
            var word: UInt64 = 0
            var shift: UInt64 = 0
            while offset < count {
                word |= UInt64(bytes[offset]) &<< shift
                shift &+= 8
                offset &+= 1
            }
            state = mix(state ^ word)
        }
        return state ^ (state >> 29)
    }

    /// The hash of a row of numbers, in this order. Rows of different lengths are different kinds of rows.
    @inlinable @inline(__always)
    package static func of<let count: Int>(_ words: InlineArray<count, UInt64>) -> UInt64 {
        var state: UInt64 = 0
        for index in 0..<count { state = mix(state ^ words[index]) }
        return state ^ (state >> 29)
    }

    /// One step of the hash: a bijection of 64 bits. An odd `multiplier` makes another one.
    @inlinable @inline(__always)
    package static func mix(_ value: UInt64, by multiplier: UInt64 = multiplier) -> UInt64 {
        let product = value &* multiplier
        return product ^ (product >> 32)
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// The number in lower-case hexadecimal digits with leading zeros: 16 digits for a `UInt64`.
    package var hexDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.utf8.count) + digits
    }
}
