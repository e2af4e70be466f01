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
