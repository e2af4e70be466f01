import Events

/// How many sources, actions and deliveries a partition has. All numbers in its events and rows must be lower.
package struct NameCounts: Sendable {
    package let sources: Int
    package let actions: Int
    package let deliveries: Int

    package init(_ names: EventNames) {
        sources = names.sources.count
        actions = names.actions.count
        deliveries = names.deliveries.count
    }

    /// Whether all numbers in the events are within these limits.
    package func hold(_ events: Span<Event>) -> Bool {
        var highest = (source: UInt16(0), action: UInt16(0), delivery: UInt32(0))
        for index in events.indices {
            let event = events[index]
            highest.source = max(highest.source, event.source)
            highest.action = max(highest.action, event.action)
            highest.delivery = max(highest.delivery, event.delivery)
        }
        return events.count == 0
            || Int(highest.source) < sources && Int(highest.action) < actions
                && Int(highest.delivery) < deliveries
    }
}
