import Events

/// All events of one message and how each is counted. It compares every event with every other, exactly as the rules
/// say. Publishing computes the same for all messages at once.
package struct MessageHistory: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        package let event: MessageEvent
        /// The earliest event of the same action within reach, if it precedes this event. Nil if this event counts.
        package let precedent: MessageEvent?
        /// The stages that the message reached, if this is its first event. It is counted in the row of daily_funnel
        /// with this event's day, platform and delivery.
        package let stages: Stages?
    }

    package let section: Section
    package let id: EventID
    /// Sorted by (time, source, delivery id, platform, action, log date).
    package let entries: [Entry]

    package init(
        section: Section, id: EventID, events: [MessageEvent], windowDays: Int, sourceNames: [String]
    ) {
        self.section = section
        self.id = id
        let ranks = MessageHistory.ranks(of: events, sourceNames: sourceNames)
        func isWithinReach(_ a: Int, of b: Int) -> Bool {
            events[a].logDate.isWithin(windowDays, of: events[b].logDate)
        }
        entries = events.indices.sorted { ranks[$0] < ranks[$1] }.map { index in
            let within = events.indices.filter { isWithinReach($0, of: index) }
            let earlier = within.filter { ranks[$0] < ranks[index] }
            let precedent = earlier.filter { ranks[$0].action == ranks[index].action }.min { ranks[$0] < ranks[$1] }
            return Entry(
                event: events[index], precedent: precedent.map { events[$0] },
                stages: earlier.isEmpty ? Stages(within.map { Stages(action: events[$0].action) }) : nil)
        }
    }

    private static func ranks(of events: [MessageEvent], sourceNames: [String]) -> [EventRank] {
        let texts = EventNames(
            sources: events.map(\.source), actions: events.map(\.action), deliveries: events.map(\.delivery))
        let names = GlobalNames([texts], pipelineSources: sourceNames)
        return events.enumerated().map { index, event in
            EventRank(
                time: event.time, source: UInt16(truncatingIfNeeded: names.sources[0][index]),
                delivery: names.deliveries[0][index], platform: event.platform,
                action: UInt16(truncatingIfNeeded: names.actions[0][index]), logDate: event.logDate)
        }
    }
}
