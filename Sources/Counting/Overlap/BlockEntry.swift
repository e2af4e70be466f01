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
        let start = Events.firstIndex(in: indices) { self[$0].last < id }
        return self[start..<Events.firstIndex(in: start..<count) { !(id < self[$0].first) }]
    }
}
