import Events
import Messages

/// A delivery of which more messages arrived than were sent, by the delivery files.
package struct UnderstatedDelivery: Equatable, Sendable {
    package let id: String
    /// Nil for all platforms together.
    package let platform: Platform?
    package let sent: Int
    package let arrived: Int
}

extension [UnderstatedDelivery] {
    /// Nil if there is none.
    package var message: Message? {
        guard !isEmpty else { return nil }
        let list = few { delivery in
            let platform: MessageText = delivery.platform.map { " on \($0.name)" } ?? ""
            return
                "\(delivery.id)\(platform) (\(Text.number(delivery.sent)) sent, \(Text.number(delivery.arrived)) arrived)"
        }
        return Message(
            "sent_below_arrived",
            """
            \(Text.plural(count, "delivery", "deliveries")) arrived more often than sent: \(list); \
            check 'sent' in the delivery files
            """)
    }
}
