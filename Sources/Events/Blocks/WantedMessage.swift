/// A message of a block whose events are wanted.
package struct WantedMessage: Sendable {
    /// The index of the message in the block; it counts messages and not events.
    package var number: Int
    package var id: EventID

    package init(number: Int, id: EventID) {
        self.number = number
        self.id = id
    }
}
