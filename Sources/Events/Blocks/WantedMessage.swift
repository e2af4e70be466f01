/// A message of a block whose events are wanted.
package struct WantedMessage: Sendable {
    /// The index of the message in the block; it counts messages and not events.
    package var index: Int
    package var id: EventID

    package init(index: Int, id: EventID) {
        self.index = index
        self.id = id
    }
}
