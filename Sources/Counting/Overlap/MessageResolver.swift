import Calendar
import Events

/// Computes what the messages that partitions share change in the standalone tables of each: which events count, and
/// which event is the message's first. See "How it counts", "Which event counts" and "Which event is the message's
/// first".
package struct MessageResolver: Sendable {
    /// The part of the message that one partition has.
    private struct Part {
        let partition: Int
        let logDate: LogDate
        /// The indices of its events in `events`.
        var all: Range<Int>
        /// The index of its earliest event in `events`.
        var first: Int
        var stages: Stages = []
        /// The time of its open; later than any event if it has none.
        var open = Int64.max
    }

    private struct RankedEvent {
        /// Its index in the list of its partition.
        let index: Int32
        let rank: EventRank
        let part: Int
    }

    /// Messages with the same first event that are still to be added to the tables.
    private struct Messages {
        /// The index of the event in the list of its partition.
        let first: Int32
        let outcome: MessageOutcome
        let isAdded: Bool
    }

    /// The place of an event in its list.
    private struct Place {
        let id: EventID
        let list: Int32
        let index: Int32
    }

    private let logDates: [LogDate]
    private let windowDays: Int
    private let names: GlobalNames
    private var days: DayClock
    // Of the current message.
    private var events: [RankedEvent] = []
    private var parts: [Part] = []
    // By partition, what is still to be added to its tables. They are filled one after another, which keeps each in the
    // CPU's caches.
    private var uncounted: [[Int32]]
    private var messages: [[Messages]]
    /// By global action number: the index of the message's earliest event with this action; -1 if it has no such event.
    private var earliest: [Int]

    /// - Parameters:
    ///   - logDates: of each partition, sorted.
    ///   - names: of the same partitions.
    package init(logDates: [LogDate], windowDays: Int, names: GlobalNames, days: DayClock) {
        assert(zip(logDates, logDates.dropFirst()).allSatisfy { $0 < $1 })
        self.logDates = logDates
        self.windowDays = windowDays
        self.names = names
        self.days = days
        earliest = Array(repeating: -1, count: names.names.actions.count)
        uncounted = Array(repeating: [], count: logDates.count)
        messages = Array(repeating: [], count: logDates.count)
    }

    /// By partition, what is to be added to its standalone tables. Keys use the partition's own numbers.
    ///
    /// The events that do not count are negative events and as many duplicates. The messages are those in their
    /// resolved rows, minus those in their standalone rows.
    /// - Parameter lists: by partition, all of its events of these messages, sorted by id. Their numbers must be valid
    ///   in `names`.
    package mutating func corrections(_ lists: [[Event]]) -> [DailyTables] {
        assert(lists.count == logDates.count && lists.allSatisfy { $0.span.isSorted })
        // The lists are sorted, which makes this quick.
        let places = lists.indices.flatMap { list in
            lists[list].indices.map { Place(id: lists[list][$0].id, list: Int32(list), index: Int32($0)) }
        }.sorted { $0.id != $1.id ? $0.id < $1.id : ($0.list, $0.index) < ($1.list, $1.index) }
        for (number, place) in places.enumerated() {
            let list = Int(place.list)
            take(lists[list][Int(place.index)], at: place.index, of: list)
            if number + 1 < places.count, places[number + 1].id == place.id { continue }
            resolveActions()
            resolveFirsts()
            events.removeAll(keepingCapacity: true)
            parts.removeAll(keepingCapacity: true)
        }
        return lists.indices.map { tables(of: $0, list: lists[$0]) }
    }

    private mutating func tables(of partition: Int, list: [Event]) -> DailyTables {
        var tables = DailyTables()
        for event in uncounted[partition].lazy.map({ list[Int($0)] }) {
            tables.add(event, counts: EventCounts(events: -1, duplicates: 1), at: days.hour(of: event.time))
        }
        for messages in messages[partition] {
            tables.funnel.add(
                first: list[Int(messages.first)], outcome: messages.outcome, messages: messages.isAdded ? 1 : -1,
                days: &days
            )
        }
        uncounted[partition] = []
        messages[partition] = []
        return tables
    }

    /// - Parameter place: the event's index in the list of its partition.
    private mutating func take(_ event: Event, at place: Int32, of partition: Int) {
        let index = events.count
        if parts.last?.partition != partition {
            parts.append(
                Part(partition: partition, logDate: logDates[partition], all: index..<index + 1, first: index))
        }
        let part = parts.count - 1
        parts[part].all = parts[part].all.lowerBound..<index + 1
        let action = names.actions[partition][Int(event.action)]
        let rank = EventRank(
            time: event.time,
            source: UInt16(truncatingIfNeeded: names.sources[partition][Int(event.source)]),
            delivery: names.deliveries[partition][Int(event.delivery)], platform: event.platform,
            action: UInt16(truncatingIfNeeded: action), logDate: logDates[partition])
        events.append(RankedEvent(index: place, rank: rank, part: part))
        parts[part].stages.formUnion(names.stages[Int(action)])
        if names.stages[Int(action)] == .opened { parts[part].open = event.time }
        if rank < events[parts[part].first].rank { parts[part].first = index }
        let known = earliest[Int(action)]
        if known < 0 || rank < events[known].rank { earliest[Int(action)] = index }
    }

    private mutating func resolveActions() {
        for (index, event) in events.enumerated() {
            let first = earliest[Int(event.rank.action)]
            // In most cases the earliest event of all decides. If it is out of reach, a later one may still be within
            // reach.
            let counts =
                first == index
                || !isWithinReach(events[first].part, of: event.part) && !hasEarlier(event)
            if !counts { uncounted[parts[event.part].partition].append(event.index) }
        }
        for event in events { earliest[Int(event.rank.action)] = -1 }
    }

    /// Whether another part within reach has an earlier event with the action of this one.
    private func hasEarlier(_ event: RankedEvent) -> Bool {
        reach(of: event.part).contains { part in
            part != event.part
                && events[parts[part].all].contains { $0.rank.action == event.rank.action && $0.rank < event.rank }
        }
    }

    private mutating func resolveFirsts() {
        for (index, part) in parts.enumerated() {
            let first = events[part.first]
            var stages = part.stages
            var open = part.open
            var isFirst = true
            for other in reach(of: index) where other != index {
                stages.formUnion(parts[other].stages)
                open = min(open, parts[other].open)
                if events[parts[other].first].rank < first.rank { isFirst = false }
            }
            let alone = MessageOutcome(part.stages, first: first.rank.time, open: part.open)
            let outcome = MessageOutcome(stages, first: first.rank.time, open: open)
            if isFirst, outcome == alone { continue }
            messages[part.partition].append(Messages(first: first.index, outcome: alone, isAdded: false))
            if isFirst {
                messages[part.partition].append(Messages(first: first.index, outcome: outcome, isAdded: true))
            }
        }
    }

    /// The parts within reach of one, and itself. They are sorted by log date.
    private func reach(of part: Int) -> Range<Int> {
        var lower = part
        var upper = part + 1
        while lower > 0, isWithinReach(lower - 1, of: part) { lower -= 1 }
        while upper < parts.count, isWithinReach(upper, of: part) { upper += 1 }
        return lower..<upper
    }

    private func isWithinReach(_ a: Int, of b: Int) -> Bool {
        parts[a].logDate.isWithin(windowDays, of: parts[b].logDate)
    }
}
