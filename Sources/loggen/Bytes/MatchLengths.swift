/// What deflate writes for the match lengths from 3 to 258: a symbol, and what distinguishes the lengths that share it.
struct MatchLengths: ~Copyable {
    private let symbols = UnsafeMutableBufferPointer<Int>.allocate(capacity: 259)
    /// The number of bits in the upper 16, the bits in the lower.
    private let extras = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: 259)
    private let entries = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: 259)

    init() {
        for length in 0...258 {
            let offset = max(0, length - 3)
            // Four symbols for every power of two, from 8 on; the longest match has one of its own.
            let bits = offset < 8 || length == 258 ? 0 : Int.bitWidth - 3 - offset.leadingZeroBitCount
            symbols[length] = length == 258 ? 285 : 257 + 4 * bits + offset >> bits
            extras[length] = UInt32(bits) << 16 | UInt32(offset & (1 << bits - 1))
        }
        entries.initialize(repeating: 0)
    }

    deinit {
        symbols.deallocate()
        extras.deallocate()
        entries.deallocate()
    }

    /// Makes the entries for a block's codes.
    func build(_ codes: borrowing HuffmanCode) {
        for length in 3...258 {
            let code = codes.entries[symbols[length]]
            let (codeBits, extra) = (code >> 16, extras[length])
            entries[length] = (codeBits + extra >> 16) << 24 | (extra & 0xFFFF) << codeBits | code & 0xFFFF
        }
    }

    @inline(__always)
    func symbol(_ length: Int) -> Int { symbols[length] }

    /// A length's code and extra bits, 20 at most, and above 24 bits how many they are.
    @inline(__always)
    func entry(_ length: Int) -> UInt32 { entries[length] }
}
