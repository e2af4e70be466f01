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

/// The bytes are not rows of numbers, or a number has no name.
package struct NumberColumnsError: Error {}

/// Reads and writes such rows.
enum NumberColumns<let count: Int> {
    typealias Row = InlineArray<count, Int64>

    /// Checks all sizes, so the bytes may be damaged.
    static func rows(in bytes: Span<UInt8>) throws(NumberColumnsError) -> [Row] {
        let raw = bytes.bytes
        func word(_ offset: Int) -> UInt64 {
            UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        var offset = 8 + 9 * count
        guard bytes.count >= offset + 8, let number = Int(exactly: word(0)), number <= bytes.count else {
            throw NumberColumnsError()
        }
        let widths = (0..<count).map { Int(bytes[8 + 9 * $0 + 8]) }
        guard widths.allSatisfy({ $0 <= 8 }), offset + number * widths.reduce(0, +) + 8 == bytes.count else {
            throw NumberColumnsError()
        }
        var rows = [Row](repeating: Row(repeating: 0), count: number)
        for column in 0..<count {
            let (lowest, width) = (word(8 + 9 * column), widths[column])
            // At least eight bytes follow every number, so an unaligned load of a whole word is safe.
            let mask: UInt64 = width == 8 ? .max : (1 &<< UInt64(8 * width)) &- 1
            for row in 0..<number {
                rows[row][column] = Int64(bitPattern: lowest &+ (word(offset &+ row &* width) & mask))
            }
            offset += number * width
        }
        return rows
    }

    /// The rows as bytes, in the given order.
    static func bytes(of rows: [Row]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rows.count * 3 * count + 128)
        var lowest = Row(repeating: rows.isEmpty ? 0 : .max)
        var highest = Row(repeating: rows.isEmpty ? 0 : .min)
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
