/// Bits, the lowest first, to memory that its owner has made large enough.
struct BitWriter {
    private let output: UnsafeMutableRawPointer
    private var written = 0
    private var bits: UInt64 = 0
    private var bitCount: UInt64 = 0

    init(output: UnsafeMutableRawPointer) {
        self.output = output
    }

    /// At most 48 bits at a time; whole bytes go to the output at once.
    @inline(__always)
    mutating func put(_ value: UInt64, _ count: UInt64) {
        bits |= value &<< bitCount
        bitCount &+= count
        output.storeBytes(of: bits, toByteOffset: written, as: UInt64.self)
        written &+= Int(truncatingIfNeeded: bitCount &>> 3)
        bits = bits &>> (bitCount & ~7)
        bitCount &= 7
    }

    /// A code and its length, as `HuffmanCode` keeps them.
    @inline(__always)
    mutating func put(entry: UInt32) {
        put(UInt64(entry & 0xFFFF), UInt64(entry &>> 16))
    }

    /// Ends with a whole byte.
    mutating func fillByte() {
        put(0, (8 - bitCount) & 7)
    }

    /// The whole bytes so far, which may be written over from now on.
    mutating func take() -> UnsafeRawBufferPointer {
        defer { written = 0 }
        return UnsafeRawBufferPointer(start: output, count: written)
    }
}

/// The lowest bits in the opposite order: deflate writes codes from their highest bit.
func reversed(_ value: UInt64, _ count: Int) -> UInt64 {
    var result: UInt64 = 0
    for place in 0..<count where value >> UInt64(place) & 1 == 1 {
        result |= 1 << UInt64(count - 1 - place)
    }
    return result
}
