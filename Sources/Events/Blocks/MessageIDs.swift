/// The ids of messages, in the order in which they were added. The high and the low words are in separate arrays.
package struct MessageIDs: Sendable {
    /// Whether ids use their high word.
    package let isWide: Bool
    /// The low words, one per id.
    package private(set) var low: [UInt64] = []
    /// The high words, one per id; empty unless `isWide`.
    package private(set) var high: [UInt64] = []

    package init(isWide: Bool) {
        self.isWide = isWide
    }

    package var count: Int { low.count }

    package subscript(index: Int) -> EventID {
        EventID(high: isWide ? high[index] : 0, low: low[index])
    }

    /// Removes all ids and keeps their memory for the next ones.
    package mutating func removeAll() {
        low.removeAll(keepingCapacity: true)
        high.removeAll(keepingCapacity: true)
    }

    /// The first index in `start..<end` whose id is not below `id`, or `end`. The ids in the range must be sorted.
    /// `end` is `count` by default.
    package func index(notBefore id: EventID, from start: Int = 0, to end: Int? = nil) -> Int {
        firstIndex(in: start..<(end ?? count)) { self[$0] < id }
    }

    /// Appends the id of each message of a block, and reads no other column. Checks the block's hash.
    package mutating func append(_ block: EventBlock) throws(EventBlockError) {
        let header = try EventBlockHeader(block.bytes)
        guard header.events == block.count, header.first == block.first, isWide || !header.isWide else {
            throw .inconsistent
        }
        let start = count
        let raw = block.bytes.span.bytes
        var column = header.column(.idLow, of: raw)
        low.append(addingCapacity: header.messages) { output in
            var word = header.first.low
            output.append(word)
            for _ in 1..<header.messages {
                word = header.isWide ? column.next() : word &+ column.next()
                output.append(word)
            }
        }
        if isWide {
            var column = header.column(.idHigh, of: raw)
            high.append(addingCapacity: header.messages) { output in
                var word = header.first.high
                output.append(word)
                for _ in 1..<header.messages {
                    word = word &+ column.next()
                    output.append(word)
                }
            }
        }
        guard self[count - 1] == block.last, isSorted(from: start) else { throw .inconsistent }
    }

    /// Whether each id from an index on is above the one before.
    private func isSorted(from start: Int) -> Bool {
        if isWide { return (start + 1..<max(start + 1, count)).allSatisfy { self[$0 - 1] < self[$0] } }
        var isSorted = true
        let ids = low.span
        for index in start + 1..<max(start + 1, count) {
            isSorted = isSorted && ids[index - 1] < ids[index]
        }
        return isSorted
    }
}
