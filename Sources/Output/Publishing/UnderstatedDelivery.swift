import Events

/// A delivery of which more messages were sent, or arrived, than the delivery files say.
package struct UnderstatedDelivery: Equatable, Sendable {
    package let id: String
    /// Nil for all platforms together.
    package let platform: Platform?
    /// What the files say.
    package let listed: Int
    /// Messages that were sent, by their events.
    package let sent: Int
    package let arrived: Int
}
