import CVectors

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
