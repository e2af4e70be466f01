import Events

/// An entry in the index of a section's blocks.
package struct BlockEntry: Sendable {
    /// The block's number in its partition. Consecutive within a section of a partition file.
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
    /// The entries of blocks that may contain `id`. The entries must be sorted.
    package func holding(_ id: EventID) -> ArraySlice<BlockEntry> {
        let start = firstIndex { !($0.last < id) }
        return self[start..<Swift.max(start, firstIndex { id < $0.first })]
    }

    /// Binary search for the first entry that satisfies `isReached`. All later entries must satisfy it too.
    func firstIndex(_ isReached: (BlockEntry) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isReached(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
