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

    /// Lower-case hex, with leading zeros up to `digits`.
    mutating func append(hex value: UInt64, digits: Int = 1) {
        let width = max(digits, (64 - value.leadingZeroBitCount + 3) / 4)
        reserve(width)
        var rest = value
        for place in stride(from: width - 1, through: 0, by: -1) {
            let digit = UInt8(truncatingIfNeeded: rest & 15)
            base[count + place] = digit < 10 ? 0x30 + digit : 0x57 + digit
            rest >>= 4
        }
        count += width
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
