import Events

/// All events of one message and how each is counted. It compares every event with every other, exactly as the rules
/// say. Publishing computes the same for all messages at once.
package struct MessageHistory: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        package let event: MessageEvent
        /// The earliest event of the same action within reach, if it precedes this event. Nil if this event counts.
        package let precedent: MessageEvent?
        /// The stages that the message reached, if this is its first event. It is counted in the row of daily_funnel with
        /// this event's day, platform and delivery.
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
        let order = MessageOrder(events, sourceNames: sourceNames)
        func areWithinReach(_ a: Int, _ b: Int) -> Bool {
            abs(Int(events[a].logDate) - Int(events[b].logDate)) <= windowDays
        }
        entries = events.indices.sorted(by: order.precedes).map { index in
            let within = events.indices.filter { areWithinReach($0, index) }
            let precedent = within.filter { order.haveSameAction($0, index) && order.precedes($0, index) }
                .min(by: order.precedes)
            let isFirst = !within.contains { order.precedes($0, index) }
            return Entry(
                event: events[index], precedent: precedent.map { events[$0] },
                stages: isFirst ? Stages(within.map { Stages(action: events[$0].action) }) : nil)
        }
    }
}

/// The order of a message's events, which are given by index. Events with the same action are compared as records are.
private struct MessageOrder {
    private let ranks: [EventRank]
    private let actions: [UInt32]
    private let logDates: [Int32]

    init(_ events: [MessageEvent], sourceNames: [String]) {
        let texts = EventNames(
            sources: events.map(\.source), actions: events.map(\.action), deliveries: events.map(\.delivery))
        let names = GlobalNames([texts], pipelineSources: sourceNames)
        ranks = events.enumerated().map { index, event in
            EventRank(
                time: event.time, source: UInt16(truncatingIfNeeded: names.sources.global(index, of: 0)),
                delivery: names.deliveries.global(index, of: 0), platform: event.platform)
        }
        actions = events.indices.map { names.actions.global($0, of: 0) }
        logDates = events.map(\.logDate)
    }

    func haveSameAction(_ a: Int, _ b: Int) -> Bool { actions[a] == actions[b] }

    func precedes(_ a: Int, _ b: Int) -> Bool {
        if ranks[a] != ranks[b] { return ranks[a] < ranks[b] }
        return actions[a] != actions[b] ? actions[a] < actions[b] : logDates[a] < logDates[b]
    }
}
