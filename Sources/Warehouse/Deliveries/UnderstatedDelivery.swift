import Events

/// A delivery of which more messages arrived than were sent, by the delivery files.
package struct UnderstatedDelivery: Equatable, Sendable {
    package let id: String
    /// Nil for all platforms together.
    package let platform: Platform?
    package let sent: Int
    package let arrived: Int
}
