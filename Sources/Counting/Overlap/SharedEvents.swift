import Events

/// Functions for lists of events that are sorted by id.
package enum SharedEvents {
    /// The events whose ids are in `ids`. Both lists must be sorted.
    package static func filter(_ events: [Event], _ ids: [EventID]) -> [Event] {
        var found: [Event] = []
        var next = 0
        for index in events.indices {
            while next < ids.count, ids[next] < events[index].id { next &+= 1 }
            guard next < ids.count else { break }
            if ids[next] == events[index].id { found.append(events[index]) }
        }
        return found
    }

    /// The ids of all lists, sorted and without repetitions.
    package static func ids(_ lists: [[Event]]) -> [EventID] {
        var ids: [EventID] = []
        var merge = MessageMerge(lists)
        var message: [MessageMerge.Part] = []
        while merge.nextMessage(&message) {
            if let part = message.first { ids.append(lists[part.list][part.events.lowerBound].id) }
        }
        return ids
    }

    /// Encodes the events as blocks.
    package static func blocks(_ events: [Event]) -> [EventBlock] {
        var encoder = EventBlockEncoder()
        return stride(from: 0, to: events.count, by: EventBlock.capacity).map { start in
            encoder.encode(events.span.extracting(start..<min(start + EventBlock.capacity, events.count)))
        }
    }
}
