// Packed columns of integers. All values of a column have the same number of bits. The first value takes the lowest
// bits. The column is padded to a whole byte. Example: the values 5, 1 and 7 with 3 bits each are 101 001 111, which
// are the bytes 0b11001101 0b00000001.

/// The number of bits that `value` needs; 0 for 0.
@inline(__always)
func bitWidth(of value: UInt64) -> Int {
    64 &- value.leadingZeroBitCount
}

/// The number of bytes of a packed column: `count` values of `width` bits.
@inline(__always)
func packedSize(count: Int, width: Int) -> Int {
    (count &* width &+ 7) >> 3
}

/// Appends the low `width` bits (0 to 64) of each value.
func pack(_ values: Span<UInt64>, width: Int, to bytes: inout [UInt8]) {
    guard width > 0, values.count > 0 else { return }
    let start = bytes.count
    let size = packedSize(count: values.count, width: width)
    bytes.append(contentsOf: repeatElement(0, count: size &+ 8))
    bytes.withUnsafeMutableBytes { buffer in
        // Every store writes 8 bytes at an offset of at most `start + size`, and 8 spare bytes follow that offset.
        var offset = start
        var filled = 0
        var word: UInt64 = 0
        for index in values.indices {
            let value = values[index]
            word |= value &<< UInt64(filled)
            filled &+= width
            if filled >= 64 {
                buffer.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
                offset &+= 8
                filled &-= 64
                word = filled == 0 ? 0 : value &>> UInt64(width &- filled)
            }
        }
        if filled > 0 { buffer.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self) }
    }
    bytes.removeLast(8)
}
