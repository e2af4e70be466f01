import CVectors

/// The bytes of a text for the fast path. Its loads are not bounds-checked, because the checks would cost as much as
/// the rest of the fast path.
///
/// This is sound: A value exists only within `withUnsafeBytes` of a span, so the memory is valid and not written. Each
/// caller ensures that the index is within the text, and says how. Debug builds check every load, and the tests run as
/// debug builds on truncated and mutated texts.
struct UncheckedBytes {
    private let base: UnsafeRawPointer
    let count: Int

    @inline(__always)
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return nil }
        self.base = base
        count = bytes.count
    }

    @inline(__always)
    private func address(at index: Int, length: Int) -> UnsafeRawPointer {
        assert(index >= 0 && index + length <= count)
        return base + index
    }

    @inline(__always)
    subscript(index: Int) -> UInt8 { address(at: index, length: 1).load(as: UInt8.self) }

    /// Eight bytes as a word, with the first byte lowest.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        UInt64(littleEndian: address(at: index, length: 8).loadUnaligned(as: UInt64.self))
    }

    /// Four bytes as a word, with the first byte lowest.
    @inline(__always)
    func halfWord(at index: Int) -> UInt32 {
        UInt32(littleEndian: address(at: index, length: 4).loadUnaligned(as: UInt32.self))
    }

    /// Whether a literal text of at most 32 bytes occurs at an offset. At least eight bytes are loaded. The compiler
    /// computes the words of the text, so this is a comparison for each eight bytes. It must be inlined for that. With
    /// `@inline(__always)` it would not be in the second operand of `||`.
    @_transparent
    func holds(_ text: StaticString, at index: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard count >= 8 else {
            return (word(at: index) ^ text.word(at: 0)) &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count) == 0
        }
        guard word(at: index) == text.word(at: 0) else { return false }
        if count > 16, word(at: index &+ 8) != text.word(at: 8) { return false }
        if count > 24, word(at: index &+ 16) != text.word(at: 16) { return false }
        return word(at: index &+ count &- 8) == text.word(at: count &- 8)
    }

    /// The mask of the bytes that equal `byte`, among 64 bytes.
    @inline(__always)
    func mask(of byte: UInt8, at index: Int) -> UInt64 { vector_equal64(address(at: index, length: 64), byte) }

    /// Calls `vector_mark_lines` and returns the number of line feeds.
    func markLines(at index: Int, blocks: Int, ends: inout [UInt16], quotes: inout [UInt64]) -> Int {
        precondition(ends.count > 64 * blocks && quotes.count >= blocks)
        let bytes = address(at: index, length: 64 * blocks).assumingMemoryBound(to: UInt8.self)
        return vector_mark_lines(bytes, blocks, &ends, &quotes)
    }

    /// Decodes the first `count` bytes with `vector_decode_form`. Returns the length; nil if an escape is invalid.
    func decodeForm(_ count: Int, into output: UncheckedOutput) -> Int? {
        precondition(self.count >= count + 66 && output.count >= count + 64)
        let length = vector_decode_form(
            address(at: 0, length: count + 66).assumingMemoryBound(to: UInt8.self), count, output.start)
        return length < 0 ? nil : length
    }

    /// 16 bytes with each `+` replaced by a space.
    @inline(__always)
    func formBytes(at index: Int) -> SIMD16<UInt8> { vector_form16(address(at: index, length: 16)) }

    /// The number of bytes above 0x20 at the front of 16 bytes.
    @inline(__always)
    func leadingVisible(at index: Int) -> Int { vector_blanks16(address(at: index, length: 16)).trailingZeroBitCount }

    /// The number of digits and lower-case letters at the front of 16 bytes.
    @inline(__always)
    func leadingAlphanumerics(at index: Int) -> Int {
        vector_non_alphanumerics16(address(at: index, length: 16)).trailingZeroBitCount
    }

    /// The masks of `vector_agent64` for 64 bytes; loads 65 bytes.
    @inline(__always)
    func agent(at index: Int) -> vector_agent { vector_agent64(address(at: index, length: 65)) }

    /// The number of hexadecimal digits at the front of 16 bytes, and the number that they write.
    @inline(__always)
    func hexDigits(at index: Int) -> (count: Int, number: UInt64) {
        let digits = vector_hex_at(address(at: index, length: 16))
        let count = digits.others.trailingZeroBitCount
        return (count, digits.number >> UInt64(64 &- 4 &* count))
    }
}

extension StaticString {
    /// Eight bytes as a word, or what there is of them, with the first byte lowest.
    @inline(__always)
    fileprivate func word(at start: Int) -> UInt64 {
        withUTF8Buffer { bytes in
            var word = 0 as UInt64
            for index in (start..<min(start &+ 8, bytes.count)).reversed() { word = word &<< 8 | UInt64(bytes[index]) }
            return word
        }
    }
}
