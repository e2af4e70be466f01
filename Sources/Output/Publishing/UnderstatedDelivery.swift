import Events

/// A delivery for which more messages were sent, or arrived, than the delivery files say were sent.
package struct UnderstatedDelivery: Equatable, Sendable {
    package let id: String
    /// Nil for all platforms together.
    package let platform: Platform?
    /// The number sent according to the delivery files.
    package let listed: Int
    /// The number sent according to the events.
    package let sent: Int
    package let arrived: Int
}
