import Events

/// Decides which events of shared messages count, and which event is the message's first. See "How it counts", "Which
/// event counts" and "Which event is the message's first".
///
/// An event takes about ten nanoseconds.
package struct MessageResolver: Sendable {
    /// The part of the message that one partition has.
    private struct Part {
        let partition: Int
        /// The index of its earliest event in `events`.
        var first: Int
        var stages: Stages
        /// The time of its open; later than any event if it has none.
        var open = Int64.max
    }

    private struct RankedEvent {
        let rank: EventRank
        let part: Int
        /// The event's index in the list of its partition.
        let index: Int
    }

    private let logDates: [Int32]
    private let windowDays: Int
    private let names: GlobalNames
    // Scratch for the current message.
    private var events: [RankedEvent] = []
    private var parts: [Part] = []
    /// By global action number: the index of the message's earliest event with this action; -1 if it has no such event.
    private var earliest: [Int]

    /// - Parameters:
    ///   - logDates: of each partition, sorted.
    ///   - names: of the same partitions.
    package init(logDates: [Int32], windowDays: Int, names: GlobalNames) {
        assert(zip(logDates, logDates.dropFirst()).allSatisfy { $0 < $1 })
        self.logDates = logDates
        self.windowDays = windowDays
        self.names = names
        earliest = Array(repeating: -1, count: names.names.actions.count)
    }

    /// Resolves all messages in `lists`.
    /// - Parameter lists: by partition, all of its events of these messages, sorted by id. Their numbers must be valid
    ///   in `names`.
    /// - Returns: by partition, the resolution of each event.
    package mutating func resolve(_ lists: [[Event]]) -> [[Resolution]] {
        var resolutions = lists.map { Array(repeating: Resolution(), count: $0.count) }
        var merge = MessageMerge(lists)
        var message: [MessageMerge.Part] = []
        while merge.nextMessage(&message) {
            for part in message { take(part, lists[part.list]) }
            resolveActions(&resolutions)
            resolveFirsts(&resolutions)
            events.removeAll(keepingCapacity: true)
            parts.removeAll(keepingCapacity: true)
        }
        return resolutions
    }

    private mutating func take(_ taken: MessageMerge.Part, _ list: [Event]) {
        let partition = taken.list
        var part = Part(partition: partition, first: events.count, stages: [])
        for index in taken.events {
            let event = list[index]
            let action = names.actions.global(Int(event.action), of: partition)
            let rank = EventRank(
                time: event.time,
                source: UInt16(truncatingIfNeeded: names.sources.global(Int(event.source), of: partition)),
                delivery: names.deliveries.global(Int(event.delivery), of: partition), platform: event.platform,
                action: UInt16(truncatingIfNeeded: action), logDate: logDates[partition])
            events.append(RankedEvent(rank: rank, part: parts.count, index: index))
            part.stages.formUnion(names.stages[Int(action)])
            if names.stages[Int(action)] == .opened { part.open = event.time }
            if rank < events[part.first].rank { part.first = events.count - 1 }
        }
        parts.append(part)
    }

    private mutating func resolveActions(_ resolutions: inout [[Resolution]]) {
        for index in events.indices {
            let rank = events[index].rank
            let known = earliest[Int(rank.action)]
            if known < 0 || rank < events[known].rank { earliest[Int(rank.action)] = index }
        }
        for index in events.indices {
            let event = events[index]
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
            if !counts { resolutions[parts[event.part].partition][event.index].counts = false }
        }
        for event in events { earliest[Int(event.rank.action)] = -1 }
    }

    private func resolveFirsts(_ resolutions: inout [[Resolution]]) {
        for index in parts.indices {
            let first = events[parts[index].first]
            var stages: Stages = []
            var open = Int64.max
            var isFirst = true
            for other in parts.indices where areWithinReach(other, index) {
                stages.formUnion(parts[other].stages)
                open = min(open, parts[other].open)
                if events[parts[other].first].rank < first.rank { isFirst = false }
            }
            let outcome = MessageOutcome(stages, first: first.rank.time, open: open)
            let counts = resolutions[parts[index].partition][first.index].counts
            resolutions[parts[index].partition][first.index] = Resolution(
                counts: counts, isEarliest: true, isFirst: isFirst, outcome: outcome)
        }
    }

    @inline(__always)
    private func areWithinReach(_ a: Int, _ b: Int) -> Bool {
        abs(Int(logDates[parts[a].partition]) - Int(logDates[parts[b].partition])) <= windowDays
    }
}
