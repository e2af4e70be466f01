import Foundation

/// Bytes that are written at the end and reused: what lines are made in.
///
/// Every write makes room first (`reserve`), so `count` never exceeds `capacity` and no pointer leaves the
/// memory allocated here; the memory is freed once, by the only owner.
struct ByteBuffer: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 4096) {
        self.capacity = capacity
        base = .allocate(capacity: capacity)
    }

    deinit {
        base.deallocate()
    }

    /// Valid as long as the buffer is not written to and is in use: a buffer that is a local variable may be freed as
    /// soon as it is not named any more.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base, count: count)
    }

    /// A copy of the bytes.
    var contents: [UInt8] {
        withExtendedLifetime(self) { Array($0.bytes) }
    }

    /// The byte written last; 0 if there is none.
    var last: UInt8 {
        count == 0 ? 0 : base[count - 1]
    }

    mutating func removeAll() {
        count = 0
    }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        base[count] = byte
        count += 1
    }

    mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }

    mutating func append(text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    mutating func append(_ other: borrowing ByteBuffer) {
        append(other.bytes)
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        memcpy(base + count, source, bytes.count)
        count += bytes.count
    }

    /// Appends what was written since `mark` once more.
    mutating func repeatBytes(since mark: Int) {
        let length = count - mark
        reserve(length)
        memcpy(base + count, base + mark, length)
        count += length
    }

    mutating func append(decimal value: Int) {
        if value < 0 { append(0x2D) }
        var rest = value.magnitude
        var digits = 1
        var limit: UInt = 10
        while digits < 19, rest >= limit {
            digits += 1
            limit &*= 10
        }
        reserve(20)
        for place in stride(from: digits - 1, through: 0, by: -1) {
            base[count + place] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
            rest /= 10
        }
        count += digits
    }

    /// Decimal with leading zeros, `digits` wide.
    mutating func append(_ value: UInt64, digits: Int) {
        reserve(digits)
        var rest = value
        var place = count + digits
        while place > count {
            // Nine digits at a time: 32-bit division is the cheap one.
            let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 1_000_000_000)
            rest = quotient
            var part = UInt32(truncatingIfNeeded: remainder)
            for _ in 0..<min(9, place - count) {
                place -= 1
                base[place] = UInt8(truncatingIfNeeded: 0x30 + part % 10)
                part /= 10
            }
        }
        count += digits
    }

    /// Lower-case hex, with leading zeros up to `digits`, at most 16.
    mutating func append(hex value: UInt64, digits: Int = 1) {
        let width = max(digits, (64 - value.leadingZeroBitCount + 3) / 4)
        // All 16 are written, and those that are not wanted written over.
        reserve(16)
        let first = value &<< UInt64(64 - 4 * width)
        let memory = UnsafeMutableRawPointer(base + count)
        memory.storeBytes(of: Self.hexDigits(first &>> 32), as: UInt64.self)
        memory.storeBytes(of: Self.hexDigits(first & 0xFFFF_FFFF), toByteOffset: 8, as: UInt64.self)
        count += width
    }

    /// Eight digits as they lie in memory: the four bits of each are brought into a byte of its own, all at a time.
    private static func hexDigits(_ value: UInt64) -> UInt64 {
        var digits = value
        digits = (digits | digits &<< 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits &<< 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits | digits &<< 4) & 0x0F0F_0F0F_0F0F_0F0F
        // 1 in the bytes from 10 on, whose digits are letters: they come 0x27 later.
        let letters = (digits &+ 0x0606_0606_0606_0606) &>> 4 & 0x0101_0101_0101_0101
        return (digits &+ 0x3030_3030_3030_3030 &+ letters &* 0x27).bigEndian
    }

    private mutating func reserve(_ more: Int) {
        guard count + more > capacity else { return }
        capacity = max(capacity * 2, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        memcpy(larger, base, count)
        base.deallocate()
        base = larger
    }
}
