import Events

/// Events of shared messages of one partition, sorted by id, with their resolutions.
package struct ResolvedEvents: Sendable {
    package private(set) var events: [Event]
    /// The resolution of each event.
    package private(set) var resolutions: [Resolution]

    /// `resolutions` must have as many elements as `events`.
    package init(_ events: [Event], _ resolutions: [Resolution]) {
        self.events = events
        self.resolutions = resolutions
    }

    package init(unresolved events: [Event]) {
        self.init(events, Array(repeating: .unknown, count: events.count))
    }

    /// Joins lists that have no message in common.
    package init(merging lists: [ResolvedEvents]) {
        let lists = lists.filter { !$0.events.isEmpty }
        self = lists.count == 1 ? lists[0] : ResolvedEvents([], [])
        guard lists.count > 1 else { return }
        events.reserveCapacity(lists.reduce(0) { $0 + $1.events.count })
        resolutions.reserveCapacity(events.capacity)
        var merge = MessageMerge(lists.map(\.events))
        var message: [MessageMerge.Part] = []
        while merge.nextMessage(&message) {
            for part in message {
                events += lists[part.list].events[part.events]
                resolutions += lists[part.list].resolutions[part.events]
            }
        }
    }

    /// Removes the messages that `others` contains. `others` must be sorted by id.
    package mutating func remove(idsOf others: [Event]) {
        var next = 0
        var remaining: [Int] = []
        for index in events.indices {
            while next < others.count, others[next].id < events[index].id { next &+= 1 }
            if next == others.count || others[next].id != events[index].id { remaining.append(index) }
        }
        guard remaining.count < events.count else { return }
        (events, resolutions) = (remaining.map { events[$0] }, remaining.map { resolutions[$0] })
    }

    /// The events in a range.
    package func events(in range: SectionRange) -> ResolvedEvents {
        if range.lower == nil, range.upper == nil { return self }
        let start = range.lower.map { lower in firstIndex(in: events.indices) { events[$0].id < lower } } ?? 0
        let end = range.upper.map { upper in firstIndex(in: start..<events.count) { events[$0].id < upper } }
        let indices = start..<(end ?? events.count)
        return ResolvedEvents(Array(events[indices]), Array(resolutions[indices]))
    }

    /// Copies the resolutions `others` of the events `resolved`.
    package mutating func update(from resolved: [Event], _ others: [Resolution]) {
        var next = 0
        for (index, event) in resolved.enumerated() {
            while next < events.count, events[next].id < event.id { next &+= 1 }
            guard next < events.count else { return }
            if events[next].id == event.id {
                // All events of a message are resolved together.
                resolutions[next] = others[index]
                next &+= 1
            }
        }
    }
}
