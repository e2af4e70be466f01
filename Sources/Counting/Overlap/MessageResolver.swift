import Calendar
import Events

/// Computes what the messages that partitions share change in the standalone tables of each: which events count, and which
/// event is the message's first. See "How it counts", "Which event counts" and "Which event is the message's first".
package struct MessageResolver: Sendable {
    /// The part of the message that one partition has.
    private struct Part {
        let partition: Int
        /// The index of its earliest event in `events`.
        var first: Int
        var stages: Stages = []
        /// The time of its open; later than any event if it has none.
        var open = Int64.max
    }

    private struct RankedEvent {
        let event: Event
        let rank: EventRank
        let part: Int
    }

    /// The place of an event in its list.
    private struct Place {
        let id: EventID
        let list: Int
        let index: Int
    }

    private let logDates: [Int32]
    private let windowDays: Int
    private let names: GlobalNames
    private let factor: Int
    private var days: DayClock
    // Of the current message.
    private var events: [RankedEvent] = []
    private var parts: [Part] = []
    /// By global action number: the index of the message's earliest event with this action; -1 if it has no such event.
    private var earliest: [Int]

    /// - Parameters:
    ///   - logDates: of each partition, sorted.
    ///   - names: of the same partitions.
    ///   - factor: what all counts are multiplied by: -1 to take back what was added.
    package init(logDates: [Int32], windowDays: Int, names: GlobalNames, factor: Int, days: DayClock) {
        assert(zip(logDates, logDates.dropFirst()).allSatisfy { $0 < $1 })
        (self.logDates, self.windowDays, self.names) = (logDates, windowDays, names)
        (self.factor, self.days) = (factor, days)
        earliest = Array(repeating: -1, count: names.names.actions.count)
    }

    /// By partition, what is to be added to its standalone tables. Keys use the partition's own numbers.
    ///
    /// The events that do not count are negative events and as many duplicates. The messages are those in their resolved rows,
    /// minus those in their standalone rows.
    /// - Parameter lists: by partition, all of its events of these messages, sorted by id. Their numbers must be valid
    ///   in `names`.
    package mutating func corrections(_ lists: [[Event]]) -> [DailyTables] {
        assert(lists.count == logDates.count && lists.allSatisfy { $0.span.isSorted })
        var tables = lists.map { _ in DailyTables() }
        // The lists are sorted, which makes this quick.
        let places = lists.indices.flatMap { list in
            lists[list].indices.map { Place(id: lists[list][$0].id, list: list, index: $0) }
        }.sorted { $0.id != $1.id ? $0.id < $1.id : ($0.list, $0.index) < ($1.list, $1.index) }
        for (index, place) in places.enumerated() {
            take(lists[place.list][place.index], of: place.list)
            if index + 1 < places.count, places[index + 1].id == place.id { continue }
            resolveActions(&tables)
            resolveFirsts(&tables)
            events.removeAll(keepingCapacity: true)
            parts.removeAll(keepingCapacity: true)
        }
        return tables
    }

    private mutating func take(_ event: Event, of partition: Int) {
        if parts.last?.partition != partition { parts.append(Part(partition: partition, first: events.count)) }
        let part = parts.count - 1
        let action = names.actions[partition][Int(event.action)]
        let rank = EventRank(
            time: event.time,
            source: UInt16(truncatingIfNeeded: names.sources[partition][Int(event.source)]),
            delivery: names.deliveries[partition][Int(event.delivery)], platform: event.platform,
            action: UInt16(truncatingIfNeeded: action), logDate: logDates[partition])
        events.append(RankedEvent(event: event, rank: rank, part: part))
        parts[part].stages.formUnion(names.stages[Int(action)])
        if names.stages[Int(action)] == .opened { parts[part].open = event.time }
        if rank < events[parts[part].first].rank { parts[part].first = events.count - 1 }
        let known = earliest[Int(action)]
        if known < 0 || rank < events[known].rank { earliest[Int(action)] = events.count - 1 }
    }

    private mutating func resolveActions(_ tables: inout [DailyTables]) {
        for (index, event) in events.enumerated() {
            let first = earliest[Int(event.rank.action)]
            // In most cases the earliest event of all decides. If it is out of reach, a later one may still be within
            // reach.
            let counts =
                first == index
                || !areWithinReach(events[first].part, event.part)
                    && !events.contains {
                        $0.rank.action == event.rank.action && $0.part != event.part && $0.rank < event.rank
                            && areWithinReach($0.part, event.part)
                    }
            if counts { continue }
            tables[parts[event.part].partition].add(
                event.event, EventCounts(events: -factor, duplicates: factor), days.hour(of: event.event.time))
        }
        for event in events { earliest[Int(event.rank.action)] = -1 }
    }

    private mutating func resolveFirsts(_ tables: inout [DailyTables]) {
        for (index, part) in parts.enumerated() {
            let first = events[part.first]
            var (stages, open, isFirst) = (part.stages, part.open, true)
            for other in parts.indices where other != index && areWithinReach(other, index) {
                stages.formUnion(parts[other].stages)
                open = min(open, parts[other].open)
                if events[parts[other].first].rank < first.rank { isFirst = false }
            }
            let alone = MessageOutcome(part.stages, first: first.rank.time, open: part.open)
            let outcome = MessageOutcome(stages, first: first.rank.time, open: open)
            if isFirst, outcome == alone { continue }
            tables[part.partition].funnel.add(first: first.event, alone, messages: -factor, &days)
            if isFirst { tables[part.partition].funnel.add(first: first.event, outcome, messages: factor, &days) }
        }
    }

    private func areWithinReach(_ a: Int, _ b: Int) -> Bool {
        abs(Int(logDates[parts[a].partition]) - Int(logDates[parts[b].partition])) <= windowDays
    }
}
