/// Reads a packed column value by value.
struct PackedColumn: ~Escapable {
    private let bytes: RawSpan
    private let width: UInt64
    private let mask: UInt64
    private var bit: Int

    /// `bytes` must hold the column from `offset` on, and 8 more bytes behind its last.
    @_lifetime(copy bytes)
    init(_ bytes: RawSpan, offset: Int, width: Int) {
        self.bytes = bytes
        self.width = UInt64(width)
        mask = width == 64 ? .max : (1 &<< UInt64(width)) &- 1
        bit = offset &* 8
    }

    @inline(__always)
    mutating func next() -> UInt64 {
        guard width > 0 else { return 0 }
        defer { bit &+= Int(width) }
        return value(at: bit)
    }

    /// The value at a place counted from the one that `next` would read; it must be one of the column's.
    @inline(__always)
    subscript(place: Int) -> UInt64 {
        width > 0 ? value(at: bit &+ place &* Int(width)) : 0
    }

    @inline(__always)
    private func value(at bit: Int) -> UInt64 {
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
