import CVectors
import Hashing

/// Decodes values of a form, `%7B%22a+b%22%7D` for `{"a b"}`.
///
/// Escapes come in rows and are some bytes apart, so that a look at each byte, or a jump for each run, costs most where
/// it goes wrong. Newer processors decode 64 bytes at once. For the others the escapes are found 64 bytes at a time, and
/// sixteen bytes are copied wherever a run begins, though only those before the next escape stay.
struct FormDecoder {
    /// Whether the processor's widest registers are used.
    private let isWide: Bool
    /// What was decoded last, and bytes that mean nothing behind it.
    private(set) var decoded: [UInt8] = []
    private var encoded: [UInt8] = []

    init() {
        self.init(isWide: vector_decodes_forms() != 0)
    }

    init(isWide: Bool) {
        self.isWide = isWide
    }

    /// Replaces `decoded` by what the value in `range` says: `+` is a space.
    /// - Returns: how many bytes there are; nil if an escape is broken.
    mutating func decode(_ text: Span<UInt8>, _ range: Range<Int>) -> Int? {
        // Vectors are stored whole, though only their first bytes may count.
        let room = range.count + 64
        if decoded.count < room { decoded.append(contentsOf: repeatElement(0, count: room - decoded.count)) }
        if isWide, range.upperBound + Self.padding <= text.count {
            return Self.decodeWidely(text.extracting(range.lowerBound...), range.count, &decoded)
        }
        encoded.removeAll(keepingCapacity: true)
        encoded.append(text, range)
        encoded.append(Self.zeros.span, 0..<Self.padding)
        let encoded = take(&self.encoded)
        defer { self.encoded = encoded }
        return isWide
            ? Self.decodeWidely(encoded.span, range.count, &decoded)
            : Self.decode(encoded.span, range.count, &decoded)
    }

    private static func decodeWidely(_ text: Span<UInt8>, _ count: Int, _ output: inout [UInt8]) -> Int? {
        output.withUnsafeMutableBytes { output in
            text.withUnsafeBytes { bytes in
                guard let bytes = UncheckedBytes(bytes), let output = UncheckedRoom(output) else { return nil }
                return bytes.decodeForm(count, output)
            }
        }
    }

    private static func decode(_ text: Span<UInt8>, _ count: Int, _ output: inout [UInt8]) -> Int? {
        output.withUnsafeMutableBytes { output in
            text.withUnsafeBytes { bytes in
                Self.hexDigits.withUnsafeBytes { digits in
                    guard let bytes = UncheckedBytes(bytes), let digits = UncheckedBytes(digits),
                        let output = UncheckedRoom(output)
                    else { return nil }
                    return decode(bytes, count, output, digits)
                }
            }
        }
    }

    /// - Parameter count: of the bytes that are meant; zeros lie behind them. There is room for 16 bytes more than those.
    @inline(__always)
    private static func decode(
        _ bytes: UncheckedBytes, _ count: Int, _ output: UncheckedRoom, _ digits: UncheckedBytes
    ) -> Int? {
        // Bounds: `base`, `escape` and `next` are `count` at most, and loads reach up to 64 bytes farther. No byte is
        // written that was not read, so that `length` is `next` at most where it grows.
        var length = 0
        var next = 0
        var base = 0
        while base < count {
            var escapes = bytes.places(of: UInt8(ascii: "%"), at: base)
            while escapes != 0 {
                let escape = base &+ escapes.trailingZeroBitCount
                escapes &= escapes &- 1
                // A zero is no digit, and no digit is a `%`: the next escape begins behind this one, which lies in `count`.
                let high = digits[Int(bytes[escape &+ 1])]
                let low = digits[Int(bytes[escape &+ 2])]
                guard high | low < 16 else { return nil }
                copy(bytes, next, escape, output, &length)
                output.store(high &<< 4 | low, at: length)
                length &+= 1
                next = escape &+ 3
            }
            base &+= 64
        }
        copy(bytes, next, count, output, &length)
        return length
    }

    @inline(__always)
    private static func copy(
        _ bytes: UncheckedBytes, _ start: Int, _ end: Int, _ output: UncheckedRoom, _ length: inout Int
    ) {
        var start = start
        while true {
            output.store(bytes.formBytes(at: start), at: length)
            guard end &- start > 16 else { break }
            length &+= 16
            start &+= 16
        }
        length &+= end &- start
    }

    /// Bytes behind a value that are read with it.
    private static let padding = 66
    /// Made where it is wanted: all threads would count references to an array.
    private static var zeros: InlineArray<66, UInt8> { InlineArray(repeating: 0) }

    /// The value of each byte as a hexadecimal digit; 0xFF if it is none.
    private static let hexDigits: [UInt8] = (0...255).map { UInt8($0).hexValue ?? 0xFF }
}

extension FormDecoder: ReusableBuffer {}
