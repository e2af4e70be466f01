import Events

/// Events of messages that a partition shares, in the order of their ids, and what became of each.
package struct ResolvedEvents: Sendable {
    package private(set) var events: [Event]
    /// Of each event.
    package private(set) var resolutions: [Resolution]

    /// `resolutions` has one for each event.
    package init(_ events: [Event], _ resolutions: [Resolution]) {
        self.events = events
        self.resolutions = resolutions
    }

    package init(unresolved events: [Event]) {
        self.init(events, Array(repeating: .unknown, count: events.count))
    }

    /// All events of several lists that share no message.
    package init(merging lists: [ResolvedEvents]) {
        self = lists.first ?? ResolvedEvents([], [])
        for list in lists.dropFirst() { merge(list) }
    }

    /// Adds events of other messages.
    private mutating func merge(_ other: ResolvedEvents) {
        let before = self
        (events, resolutions) = ([], [])
        events.reserveCapacity(before.events.count + other.events.count)
        resolutions.reserveCapacity(before.events.count + other.events.count)
        var next = 0
        func append(_ range: Range<Int>) {
            events += before.events[range]
            resolutions += before.resolutions[range]
        }
        for index in other.events.indices {
            let start = next
            while next < before.events.count, before.events[next].id < other.events[index].id { next &+= 1 }
            append(start..<next)
            events.append(other.events[index])
            resolutions.append(other.resolutions[index])
        }
        append(next..<before.events.count)
    }

    /// Removes the messages that are among some events, which are in the order of their ids.
    package mutating func remove(idsOf others: [Event]) {
        var next = 0
        var kept: [Int] = []
        for index in events.indices {
            while next < others.count, others[next].id < events[index].id { next &+= 1 }
            if next == others.count || others[next].id != events[index].id { kept.append(index) }
        }
        guard kept.count < events.count else { return }
        (events, resolutions) = (kept.map { events[$0] }, kept.map { resolutions[$0] })
    }

    /// Those of a range.
    package func events(in range: SectionRange) -> ResolvedEvents {
        if range.lower == nil, range.upper == nil { return self }
        let start = range.lower.map { lower in firstIndex { !($0 < lower) } } ?? 0
        let end = max(start, range.upper.map { upper in firstIndex { !($0 < upper) } } ?? events.count)
        return ResolvedEvents(Array(events[start..<end]), Array(resolutions[start..<end]))
    }

    /// Takes over new resolutions of some of the messages.
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

    /// Binary search for the first event whose id satisfies what all behind it satisfy too.
    private func firstIndex(_ isReached: (EventID) -> Bool) -> Int {
        var (low, high) = (0, events.count)
        while low < high {
            let middle = (low + high) / 2
            if isReached(events[middle].id) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
