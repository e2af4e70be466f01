import CVectors

/// Decodes values of a form, such as `%7B%22a+b%22%7D` for `{"a b"}`.
///
/// Escapes occur in groups and a few bytes apart. A loop over single bytes or runs would mostly wait for mispredicted
/// branches. Processors with AVX-512 decode 64 bytes at once (`vector_decode_form`). On other processors the escapes
/// are found 64 bytes at a time. At the start of each run of plain bytes 16 bytes are copied, although only the bytes
/// before the next escape count.
struct FormDecoder {
    /// Whether `vector_decode_form` is used.
    private let isWide: Bool
    /// The result of the last call, followed by meaningless bytes.
    private(set) var decoded: [UInt8] = []
    private var encoded: [UInt8] = []

    init(isWide: Bool = vector_decodes_forms() != 0) {
        self.isWide = isWide
    }

    /// Replaces `decoded` by the decoded value in `range`; `+` is a space.
    /// - Returns: the length of the decoded value; nil if an escape is invalid.
    mutating func decode(_ text: Span<UInt8>, in range: Range<Int>) -> Int? {
        // Whole vectors are stored, even if only their first bytes count.
        let capacity = range.count + 64
        if decoded.count < capacity { decoded.append(contentsOf: repeatElement(0, count: capacity - decoded.count)) }
        if isWide, range.upperBound + Self.padding <= text.count {
            return decode(text.extracting(range.lowerBound...), count: range.count)
        }
        var encoded = exchange(&self.encoded, with: [])
        defer { self.encoded = encoded }
        encoded.removeAll(keepingCapacity: true)
        encoded.append(text, in: range)
        encoded.append(Self.zeros.span, in: 0..<Self.padding)
        return decode(encoded.span, count: range.count)
    }

    private mutating func decode(_ text: Span<UInt8>, count: Int) -> Int? {
        assert(text.count >= count + Self.padding && decoded.count >= count + 64)
        let isWide = isWide
        return decoded.withUnsafeMutableBytes { output in
            text.withUnsafeBytes { bytes in
                guard let bytes = UncheckedBytes(bytes), let output = UncheckedOutput(output) else { return nil }
                if isWide { return bytes.decodeForm(count, into: output) }
                return Self.hexDigits.withUnsafeBytes { digits in
                    UncheckedBytes(digits).flatMap { Self.decode(bytes, count: count, into: output, digits: $0) }
                }
            }
        }
    }

    /// - Parameter count: the length of the encoded value. Zeros follow it. The output has room for `count` + 16 bytes.
    @inline(__always)
    private static func decode(
        _ bytes: UncheckedBytes, count: Int, into output: UncheckedOutput, digits: UncheckedBytes
    ) -> Int? {
        // Bounds: `base`, `escape` and `next` are at most `count`, and loads read at most 64 bytes from there. Each
        // written byte has been read before, so `length` is at most `next` when it grows.
        var length = 0
        var next = 0
        var base = 0
        while base < count {
            var escapes = bytes.mask(of: UInt8(ascii: "%"), at: base)
            while escapes != 0 {
                let escape = base &+ escapes.trailingZeroBitCount
                escapes &= escapes &- 1
                // A zero is not a digit, so the whole escape is within `count`. A `%` is not a digit either, so the
                // next escape begins after this one.
                let high = digits[Int(bytes[escape &+ 1])]
                let low = digits[Int(bytes[escape &+ 2])]
                guard high | low < 16 else { return nil }
                copy(bytes, from: next, to: escape, into: output, length: &length)
                output.store(high &<< 4 | low, at: length)
                length &+= 1
                next = escape &+ 3
            }
            base &+= 64
        }
        copy(bytes, from: next, to: count, into: output, length: &length)
        return length
    }

    @inline(__always)
    private static func copy(
        _ bytes: UncheckedBytes, from start: Int, to end: Int, into output: UncheckedOutput, length: inout Int
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

    /// The bytes after a value that are read with it.
    private static let padding = 66
    /// Computed on each use, because all threads would count references to a shared array.
    private static var zeros: InlineArray<66, UInt8> { InlineArray(repeating: 0) }

    /// The value of each byte as a hexadecimal digit; 0xFF for other bytes.
    private static let hexDigits: [UInt8] = (0...255).map { UInt8($0).hexValue ?? 0xFF }
}
