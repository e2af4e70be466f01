/// What became of a message.
package struct MessageFunnel: Equatable, Sendable {
    package let arrived: Bool
    package let impressed: Bool
    package let clicked: Bool
    package let opened: Bool

    init(actions: Set<String>) {
        arrived = actions.contains("arrival")
        impressed = actions.contains("impression")
        clicked = actions.contains("click")
        opened = actions.contains("open")
    }

    /// Every open sends a click too; a dismissal sends a click alone.
    package var dismissed: Bool { clicked && !opened }
}
