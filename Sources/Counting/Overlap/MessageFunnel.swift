/// Which funnel stages a message reached.
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

    /// An open always sends a click too. A click without an open is a dismissal.
    package var dismissed: Bool { clicked && !opened }
}
