// Rows of numbers, stored column by column. Each column uses only as many bytes per number as it needs, lowest byte
// first:
//
//     8 bytes  number of rows, n
//     for each column:  8 bytes  lowest number
//                       1 byte   width: bytes per number, 0 to 8
//     for each column:  n numbers, each minus the lowest
//     8 bytes  0
//
// Two rows (20411, 7) and (20414, 300):  2; 20411, 1; 7, 2;  00 03;  00 00 25 01;  0.

/// The bytes are not rows of numbers, or a number is outside its limits.
package struct NumberColumnsError: Error {}

/// A reader of rows of numbers. It does not hold the bytes.
struct NumberColumns<let count: Int> {
    private struct Column {
        var lowest: UInt64 = 0
        var width = 0
        var offset = 0
        var mask: UInt64 = 0
    }

    private static var headSize: Int { 8 + 9 * count }

    let rows: Int
    private var columns = InlineArray<count, Column>(repeating: Column())

    /// Checks all sizes, so the bytes may be damaged.
    init(_ bytes: Span<UInt8>) throws(NumberColumnsError) {
        guard bytes.count >= NumberColumns.headSize + 8 else { throw NumberColumnsError() }
        let raw = bytes.bytes
        func word(_ offset: Int) -> UInt64 {
            UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        guard let rows = Int(exactly: word(0)), rows <= bytes.count else { throw NumberColumnsError() }
        self.rows = rows
        var offset = NumberColumns.headSize
        for index in 0..<count {
            let width = Int(bytes[8 + 9 * index + 8])
            guard width <= 8 else { throw NumberColumnsError() }
            columns[index] = Column(
                lowest: word(8 + 9 * index), width: width, offset: offset,
                mask: width == 8 ? .max : (1 &<< UInt64(8 * width)) &- 1)
            offset += rows * width
        }
        guard offset + 8 == bytes.count else { throw NumberColumnsError() }
    }

    /// One number. `bytes` must be the bytes that were passed to `init`.
    @inline(__always)
    func number(_ column: Int, of row: Int, in bytes: Span<UInt8>) -> Int64 {
        assert((0..<rows).contains(row))
        let column = columns[column]
        // At least eight bytes follow every number, so an unaligned load of a whole word is safe.
        let word = UInt64(
            littleEndian: bytes.bytes.unsafeLoadUnaligned(
                fromByteOffset: column.offset &+ row &* column.width, as: UInt64.self))
        return Int64(bitPattern: column.lowest &+ (word & column.mask))
    }

    /// Calls `body` with each row in `bytes`.
    @inline(__always)
    static func forEachRow(
        in bytes: Span<UInt8>, _ body: (InlineArray<count, Int64>) throws(NumberColumnsError) -> Void
    ) throws(NumberColumnsError) {
        let columns = try NumberColumns(bytes)
        for row in 0..<columns.rows {
            try body(InlineArray { columns.number($0, of: row, in: bytes) })
        }
    }

    /// The rows as bytes, in the given order.
    static func bytes(of rows: [InlineArray<count, Int64>]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rows.count * 3 * count + 128)
        var lowest = InlineArray<count, Int64>(repeating: rows.isEmpty ? 0 : .max)
        var highest = InlineArray<count, Int64>(repeating: rows.isEmpty ? 0 : .min)
        for row in rows {
            for index in 0..<count {
                lowest[index] = min(lowest[index], row[index])
                highest[index] = max(highest[index], row[index])
            }
        }
        append(UInt64(rows.count), 8, to: &bytes)
        var widths = InlineArray<count, Int>(repeating: 0)
        for index in 0..<count {
            let range = UInt64(bitPattern: highest[index] &- lowest[index])
            widths[index] = (UInt64.bitWidth - range.leadingZeroBitCount + 7) / 8
            append(UInt64(bitPattern: lowest[index]), 8, to: &bytes)
            bytes.append(UInt8(widths[index]))
        }
        for index in 0..<count {
            for row in rows { append(UInt64(bitPattern: row[index] &- lowest[index]), widths[index], to: &bytes) }
        }
        append(0, 8, to: &bytes)
        return bytes
    }

    @inline(__always)
    private static func append(_ number: UInt64, _ width: Int, to bytes: inout [UInt8]) {
        var number = number
        for _ in 0..<width {
            bytes.append(UInt8(truncatingIfNeeded: number))
            number >>= 8
        }
    }
}
