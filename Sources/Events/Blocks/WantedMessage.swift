/// A message of a block that is wanted: the how many-th of the block it is, from 0, and its id.
package struct WantedMessage: Sendable {
    package var number: Int
    package var id: EventID

    package init(number: Int, id: EventID) {
        self.number = number
        self.id = id
    }
}
