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

    /// Whether a literal text of at most 32 bytes occurs at an offset. At least eight bytes are loaded. The compiler computes
    /// the words of the text, so this is a comparison for each eight bytes. It must be inlined for that, and `@inline(__always)`
    /// is not where it stands behind `||`.
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

/// Memory that the fast path writes to. Its stores are not bounds-checked. This is sound for the same reasons as
/// `UncheckedBytes`, with `withUnsafeMutableBytes` around it.
struct UncheckedOutput {
    private let base: UnsafeMutableRawPointer
    let count: Int

    @inline(__always)
    init?(_ bytes: UnsafeMutableRawBufferPointer) {
        guard let base = bytes.baseAddress else { return nil }
        self.base = base
        count = bytes.count
    }

    /// The address of the first byte, for C functions.
    var start: UnsafeMutablePointer<UInt8> { base.assumingMemoryBound(to: UInt8.self) }

    @inline(__always)
    func store(_ byte: UInt8, at index: Int) {
        assert(index >= 0 && index < count)
        (base + index).storeBytes(of: byte, as: UInt8.self)
    }

    @inline(__always)
    func store(_ vector: SIMD16<UInt8>, at index: Int) {
        assert(index >= 0 && index + 16 <= count)
        (base + index).storeBytes(of: vector, as: SIMD16<UInt8>.self)
    }
}

/// The line feeds and quotes of a few kilobytes, found in one pass. This costs less than searching for each of them,
/// because such a search cannot begin before the one before has ended.
struct LineMarks {
    // The bytes marked at a time, in blocks of 64 bytes. It begins small, because an unusual line discards the rest.
    private static let minBlocks = 16
    private static let maxBlocks = 128

    /// The number of line feeds in the marked bytes.
    private(set) var count = 0
    /// The offset of the marked bytes in the text.
    private var base = 0
    /// The number of blocks to mark next.
    private var blocks = LineMarks.minBlocks
    // Both arrays are allocated at the first use, so that an empty value costs nothing.
    /// The offsets of the line feeds, relative to `base`.
    private var ends: [UInt16] = []
    /// The mask of the quotes of each block, followed by a word 0.
    private var quotes: [UInt64] = []

    /// Marks few bytes in the next call.
    mutating func reset() {
        blocks = LineMarks.minBlocks
    }

    /// Marks bytes from `start` on, more than the last time. Returns false if there is no line feed in them.
    mutating func mark(_ text: UncheckedBytes, from start: Int) -> Bool {
        base = start
        if ends.isEmpty {
            ends = Array(repeating: 0, count: 64 * LineMarks.maxBlocks + 1)
            quotes = Array(repeating: 0, count: LineMarks.maxBlocks + 1)
        }
        while true {
            let marked = min(blocks, (text.count - start) / 64)
            count = text.markLines(at: start, blocks: marked, ends: &ends, quotes: &quotes)
            quotes[marked] = 0
            let isWhole = marked == blocks && blocks < LineMarks.maxBlocks
            blocks = min(2 * blocks, LineMarks.maxBlocks)
            if count > 0 { return true }
            guard isWhole else { return false }
        }
    }

    /// The marks for the loop over the lines; reading the arrays would count references for every line.
    var view: View {
        @_lifetime(borrow self)
        borrowing get { View(base: base, ends: ends.span.extracting(first: count), quotes: quotes.span) }
    }

    /// A view of the marks without reference counting.
    struct View: ~Escapable, Copyable {
        private let base: Int
        private let ends: Span<UInt16>
        private let quotes: Span<UInt64>

        @_lifetime(copy ends, copy quotes)
        fileprivate init(base: Int, ends: Span<UInt16>, quotes: Span<UInt64>) {
            self.base = base
            self.ends = ends
            self.quotes = quotes
        }

        /// The offset in the text of the line feed with this index.
        @inline(__always)
        func lineFeed(_ index: Int) -> Int { base &+ Int(ends[index]) }

        /// The offset of the first quote in `start..<end`; `end` is within the marked bytes.
        @inline(__always)
        func firstQuote(from start: Int, to end: Int) -> Int? {
            var offset = start
            while offset < end {
                // The mask of 64 bytes at `offset`, from two blocks.
                let block = (offset &- base) >> 6
                let shift = UInt64((offset &- base) & 63)
                let word = quotes[block] &>> shift | (quotes[block &+ 1] &<< 1) &<< (63 &- shift)
                guard word == 0 else {
                    let found = offset &+ word.trailingZeroBitCount
                    return found < end ? found : nil
                }
                offset = offset &+ 64
            }
            return nil
        }
    }
}
