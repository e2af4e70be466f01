/// Reads the values of a packed column, in order with `next` or by index.
struct PackedColumn: ~Escapable {
    private let bytes: RawSpan
    private let width: UInt64
    private let mask: UInt64
    private var bit: Int

    /// The column begins at the byte `offset` of `bytes` and is followed by at least 8 more bytes. `width` is 0 to 64
    /// bits.
    @_lifetime(copy bytes)
    init(_ bytes: RawSpan, offset: Int, width: Int) {
        assert((0...64).contains(width) && offset >= 0 && bytes.byteCount >= offset + 8)
        self.bytes = bytes
        self.width = UInt64(width)
        mask = width == 64 ? .max : (1 &<< UInt64(width)) &- 1
        bit = offset &* 8
    }

    /// Returns the next value. There must be one.
    @inline(__always)
    mutating func next() -> UInt64 {
        guard width > 0 else { return 0 }
        defer { bit &+= Int(width) }
        return value(at: bit)
    }

    /// The value at an index, which counts from the value that `next` would return. The column must have such a value.
    @inline(__always)
    subscript(index: Int) -> UInt64 {
        width > 0 ? value(at: bit &+ index &* Int(width)) : 0
    }

    @inline(__always)
    private func value(at bit: Int) -> UInt64 {
        assert(bit >= 0 && bit >> 3 + 8 <= bytes.byteCount)
        let offset = bit >> 3
        let shift = UInt64(bit & 7)
        let low = UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
        var value = low &>> shift
        if shift &+ width > 64 {
            let high = UInt64(bytes.unsafeLoad(fromByteOffset: offset &+ 8, as: UInt8.self))
            value |= high &<< (64 &- shift)
        }
        return value & mask
    }
}
