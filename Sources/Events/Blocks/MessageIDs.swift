/// The ids of messages in the order in which they were added, their words apart.
package struct MessageIDs: Sendable {
    /// Whether ids have more than their low word.
    package let isWide: Bool
    package private(set) var low: [UInt64] = []
    /// Empty unless `isWide`.
    package private(set) var high: [UInt64] = []

    package init(isWide: Bool) {
        self.isWide = isWide
    }

    package var count: Int { low.count }

    package subscript(index: Int) -> EventID {
        EventID(high: isWide ? high[index] : 0, low: low[index])
    }

    package mutating func removeAll() {
        low.removeAll(keepingCapacity: true)
        high.removeAll(keepingCapacity: true)
    }

    /// The first place from `start` on whose id does not precede `id`, or `end`; the ids must be in order.
    package func firstPlace(notBefore id: EventID, from start: Int = 0, to end: Int? = nil) -> Int {
        var (lower, upper) = (start, end ?? count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if self[middle] < id { lower = middle + 1 } else { upper = middle }
        }
        return lower
    }

    /// Appends the ids of a block's messages, each once, and reads no other column. Checks the block's hash.
    package mutating func append(_ block: EventBlock) throws(EventBlockError) {
        let header = try EventBlockHeader(block.bytes)
        guard header.events == block.count, header.first == block.first, isWide || !header.wide else {
            throw .inconsistent
        }
        let raw = block.bytes.span.bytes
        var column = PackedColumn(raw, offset: header.offsets[3], width: header.widthLow)
        low.append(addingCapacity: header.messages) { output in
            var word = header.first.low
            output.append(word)
            for _ in 1..<header.messages {
                word = header.wide ? column.next() : word &+ column.next()
                output.append(word)
            }
        }
        if isWide {
            var column = PackedColumn(raw, offset: header.offsets[2], width: header.widthHigh)
            high.append(addingCapacity: header.messages) { output in
                var word = header.first.high
                output.append(word)
                for _ in 1..<header.messages {
                    word = word &+ column.next()
                    output.append(word)
                }
            }
        }
        guard self[count - 1] == block.last else { throw .inconsistent }
    }
}
