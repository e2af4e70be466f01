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

    /// Adds events that are not resolved yet. What both have of a message is the same and is not added; returns the others.
    package mutating func merge(_ others: [Event]) -> [Event] {
        var (merged, added): ([Event], [Event]) = ([], [])
        var mergedResolutions: [Resolution] = []
        merged.reserveCapacity(events.count + others.count)
        mergedResolutions.reserveCapacity(events.count + others.count)
        var next = 0
        func append(before id: EventID?) {
            while next < events.count, id.map({ events[next].id < $0 }) ?? true {
                merged.append(events[next])
                mergedResolutions.append(resolutions[next])
                next &+= 1
            }
        }
        for other in others {
            append(before: other.id)
            if next < events.count, events[next].id == other.id { continue }
            added.append(other)
            merged.append(other)
            mergedResolutions.append(.unknown)
        }
        append(before: nil)
        (events, resolutions) = (merged, mergedResolutions)
        return added
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
