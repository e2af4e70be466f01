import Events

/// An event of a message, in plain texts.
package struct MessageEvent: Equatable, Sendable {
    /// Days since 1970-01-01, as is `day`.
    package let logDate: Int32
    /// In the pipeline's time zone.
    package let day: Int32
    /// Milliseconds since 1970.
    package let time: Int64
    package let source: String
    package let delivery: String
    package let platform: Platform
    package let action: String
    /// How many records said the same in this partition, the event's own included.
    package let records: Int
}

/// All events of one message and what became of each, by SPEC 7 word for word: every event is compared with every other.
/// Publishing comes to the same for all messages at once.
package struct MessageHistory: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        package let event: MessageEvent
        /// The earliest event within reach of the same action that comes before it; nil if the event counts.
        package let precedent: MessageEvent?
        /// What became of the message; nil if another event within reach comes first. The row of `daily_funnel` is that
        /// of the event's day, platform and delivery.
        package let funnel: MessageFunnel?
    }

    package let section: Section
    package let id: EventID
    /// In the order of (time, source, delivery id, platform, action, log date).
    package let entries: [Entry]

    init(section: Section, id: EventID, events: [MessageEvent], windowDays: Int, sourceNames: [String]) {
        self.section = section
        self.id = id
        let order = MessageOrder(sourceNames: sourceNames)
        func near(_ event: MessageEvent) -> [MessageEvent] {
            events.filter { abs(Int($0.logDate) - Int(event.logDate)) <= windowDays }
        }
        entries = events.sorted { order.precedes($0, $1) }.map { event in
            let within = near(event)
            let precedent = within.filter { $0.action == event.action && order.precedes($0, event) }
                .min { order.precedes($0, $1) }
            let isFirst = !within.contains { order.precedes($0, event) }
            return Entry(
                event: event, precedent: precedent,
                funnel: isFirst ? MessageFunnel(actions: Set(within.map(\.action))) : nil)
        }
    }
}

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

/// The order of a message's events; between two of one action it is that of their records.
private struct MessageOrder {
    private let positions: [String: Int]

    init(sourceNames: [String]) {
        positions = Dictionary(
            sourceNames.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    func precedes(_ a: MessageEvent, _ b: MessageEvent) -> Bool {
        if a.time != b.time { return a.time < b.time }
        // Sources that the pipeline does not have come after the others, by name.
        let places = (positions[a.source] ?? .max, positions[b.source] ?? .max)
        if places.0 != places.1 { return places.0 < places.1 }
        for (x, y) in [
            (a.source, b.source), (a.delivery, b.delivery), (a.platform.name, b.platform.name), (a.action, b.action),
        ] where !x.utf8.elementsEqual(y.utf8) {
            return x.utf8.lexicographicallyPrecedes(y.utf8)
        }
        return a.logDate < b.logDate
    }
}
