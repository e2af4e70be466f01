import CVectors

/// Where the lines of some kilobytes end, and where their quotes are: found in one pass, which costs less than to search
/// for each of them, from a place that is known only once the one before is found.
struct LineMarks {
    /// 64 bytes each. Few at first, since an unusual line ends what is marked.
    private static let fewestBlocks = 16
    private static let mostBlocks = 128

    /// Line feeds in what is marked.
    private(set) var count = 0
    /// Where the marked bytes begin in the text.
    private var base = 0
    private var blocks = LineMarks.fewestBlocks
    // Their room is made at the first use, so that making another one costs nothing.
    private var ends: [UInt16] = []
    /// A word behind the last stays 0.
    private var quotes: [UInt64] = []

    /// Marks few bytes next.
    mutating func beginAnew() {
        blocks = LineMarks.fewestBlocks
    }

    /// Marks the bytes from `start` on, more than the last time; false if no line feed is near.
    mutating func mark(_ text: UncheckedBytes, from start: Int) -> Bool {
        base = start
        if ends.isEmpty {
            ends = Array(repeating: 0, count: 64 * LineMarks.mostBlocks + 1)
            quotes = Array(repeating: 0, count: LineMarks.mostBlocks + 1)
        }
        while true {
            let marked = min(blocks, (text.count - start) / 64)
            count = text.markLines(at: start, blocks: marked, ends: &ends, quotes: &quotes)
            quotes[marked] = 0
            let isWhole = marked == blocks && blocks < LineMarks.mostBlocks
            blocks = min(2 * blocks, LineMarks.mostBlocks)
            if count > 0 { return true }
            guard isWhole else { return false }
        }
    }

    /// What was marked, for those who ask for each line: an array would have its references counted each time.
    var view: View {
        @_lifetime(borrow self)
        borrowing get { View(base, ends.span.extracting(first: count), quotes.span) }
    }

    struct View: ~Escapable, Copyable {
        private let base: Int
        private let ends: Span<UInt16>
        private let quotes: Span<UInt64>

        @_lifetime(copy ends, copy quotes)
        fileprivate init(_ base: Int, _ ends: Span<UInt16>, _ quotes: Span<UInt64>) {
            self.base = base
            self.ends = ends
            self.quotes = quotes
        }

        /// The place of a line feed in the text.
        @inline(__always)
        func end(_ number: Int) -> Int { base &+ Int(ends[number]) }

        /// The first quote in `start..<end`; `end` lies in what is marked.
        @inline(__always)
        func firstQuote(from start: Int, to end: Int) -> Int? {
            var place = start
            while place < end {
                // The 64 bytes from `place` on, out of two blocks.
                let (block, shift) = ((place &- base) >> 6, UInt64((place &- base) & 63))
                let word = quotes[block] &>> shift | (quotes[block &+ 1] &<< 1) &<< (63 &- shift)
                guard word == 0 else {
                    let found = place &+ word.trailingZeroBitCount
                    return found < end ? found : nil
                }
                place = place &+ 64
            }
            return nil
        }
    }
}
