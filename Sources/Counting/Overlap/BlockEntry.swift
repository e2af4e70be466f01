import Events

/// An entry of the index of a section's blocks.
package struct BlockEntry: Sendable {
    /// Tells the block from others of its partition. Consecutive within a section of a partition's file.
    package let number: Int64
    package let first: EventID
    package let last: EventID
    package let events: Int

    package init(number: Int64, first: EventID, last: EventID, events: Int) {
        self.number = number
        self.first = first
        self.last = last
        self.events = events
    }
}

extension [BlockEntry] {
    /// Those that may hold an id. The blocks must be in order.
    package func holding(_ id: EventID) -> ArraySlice<BlockEntry> {
        let start = firstIndex { !($0.last < id) }
        return self[start..<Swift.max(start, firstIndex { id < $0.first })]
    }

    /// Binary search for the first entry that satisfies what all behind it satisfy too.
    func firstIndex(_ isReached: (BlockEntry) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isReached(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
