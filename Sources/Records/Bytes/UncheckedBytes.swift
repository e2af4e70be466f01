import CVectors

/// The bytes of a text while they are read the quick way: loads that are not checked one by one, since the checks would
/// cost as much as all the rest there.
///
/// Why this is sound: it lives within `withUnsafeBytes` of a span and never leaves it, so the memory is there and nobody
/// writes to it; and all who load from it first make sure that the place lies in the text, and say how. Debug builds
/// check every load, and the tests run there on cut and mutated texts.
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
    private func place(_ index: Int, _ length: Int) -> UnsafeRawPointer {
        assert(index >= 0 && index + length <= count)
        return base + index
    }

    @inline(__always)
    subscript(index: Int) -> UInt8 { place(index, 1).load(as: UInt8.self) }

    /// Eight bytes, the first one lowest.
    @inline(__always)
    func word(at index: Int) -> UInt64 { UInt64(littleEndian: place(index, 8).loadUnaligned(as: UInt64.self)) }

    @inline(__always)
    func halfWord(at index: Int) -> UInt32 { UInt32(littleEndian: place(index, 4).loadUnaligned(as: UInt32.self)) }

    /// Which of the 64 bytes from `index` on are this one.
    @inline(__always)
    func places(of byte: UInt8, at index: Int) -> UInt64 { vector_places64(place(index, 64), byte) }

    /// Marks line feeds and quotes as `vector_mark_lines` says; answers how many line feeds there are.
    func markLines(at index: Int, blocks: Int, ends: inout [UInt16], quotes: inout [UInt64]) -> Int {
        precondition(ends.count > 64 * blocks && quotes.count >= blocks)
        let bytes = place(index, 64 * blocks).assumingMemoryBound(to: UInt8.self)
        return vector_mark_lines(bytes, blocks, &ends, &quotes)
    }

    /// Decodes the first `count` bytes as `vector_decode_form` says; nil if an escape is broken.
    func decodeForm(_ count: Int, _ output: UncheckedRoom) -> Int? {
        precondition(self.count >= count + 66 && output.count >= count + 64)
        let length = vector_decode_form(place(0, count + 66).assumingMemoryBound(to: UInt8.self), count, output.start)
        return length < 0 ? nil : length
    }

    /// The sixteen bytes from `index` on, a space for each plus.
    @inline(__always)
    func formBytes(at index: Int) -> SIMD16<UInt8> { vector_form16(place(index, 16)) }

    /// How many of the sixteen bytes from `index` on stand before the first that is 0x20 or below; 16 if none is.
    @inline(__always)
    func leadingVisible(at index: Int) -> Int { vector_spaces16(place(index, 16)).trailingZeroBitCount }

    /// How many of the sixteen bytes from `index` on stand before the first that is neither a digit nor a small letter.
    @inline(__always)
    func leadingPlain(at index: Int) -> Int { vector_unplain16(place(index, 16)).trailingZeroBitCount }

    /// What the 64 bytes from `index` on mean in a user agent; 65 are loaded.
    @inline(__always)
    func agent(at index: Int) -> vector_agent { vector_agent64(place(index, 65)) }

    /// How many of the sixteen bytes from `index` on, before the first other one, are hexadecimal digits, and the number
    /// that those write.
    @inline(__always)
    func hexDigits(at index: Int) -> (count: Int, number: UInt64) {
        let digits = vector_hex_at(place(index, 16))
        let count = digits.others.trailingZeroBitCount
        return (count, digits.number >> UInt64(64 &- 4 &* count))
    }
}
