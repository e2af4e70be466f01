import Events

/// Decides for messages of several partitions which of their events count, and which is the message's first: an event
/// counts unless a partition within reach has an earlier one of the same message and action.
///
/// Some ten nanoseconds an event.
package struct MessageResolver: Sendable {
    /// What one partition has of the message.
    private struct Part {
        let partition: Int
        /// The index of its first event among `events`.
        var first: Int
        var stages: Stages
    }

    private struct RankedEvent {
        let rank: EventRank
        let part: Int
        let action: UInt16
        /// Its index in the list of its partition.
        let index: Int

        /// The order of events of one action. Parts are in the order of log dates.
        @inline(__always)
        func precedes(_ other: RankedEvent) -> Bool {
            rank != other.rank ? rank < other.rank : part < other.part
        }

        /// The order of events of one message.
        @inline(__always)
        func precedesInMessage(_ other: RankedEvent) -> Bool {
            if rank != other.rank { return rank < other.rank }
            return action != other.action ? action < other.action : part < other.part
        }
    }

    private let logDates: [Int32]
    private let windowDays: Int
    private let names: GlobalNames
    // The message in hand.
    private var events: [RankedEvent] = []
    private var parts: [Part] = []
    /// By global action: the index of the message's first event; -1 for none.
    private var earliest: [Int]

    /// - Parameters:
    ///   - logDates: of the partitions, in order.
    ///   - names: those of the partitions.
    package init(logDates: [Int32], windowDays: Int, names: GlobalNames) {
        self.logDates = logDates
        self.windowDays = windowDays
        self.names = names
        earliest = Array(repeating: -1, count: names.names.actions.count)
    }

    /// Resolves messages.
    /// - Parameter lists: by partition, all events that it has of them, in the order of their ids. Their numbers must be
    ///   within the partition's tables.
    /// - Returns: by partition, of each event.
    package mutating func resolve(_ lists: [[Event]]) -> [[Resolution]] {
        var resolutions = lists.map { Array(repeating: Resolution(counts: true), count: $0.count) }
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
                delivery: names.deliveries.global(Int(event.delivery), of: partition), platform: event.platform)
            events.append(
                RankedEvent(rank: rank, part: parts.count, action: UInt16(truncatingIfNeeded: action), index: index))
            part.stages.formUnion(names.stages[Int(action)])
            if events[events.count - 1].precedesInMessage(events[part.first]) { part.first = events.count - 1 }
        }
        parts.append(part)
    }

    private mutating func resolveActions(_ resolutions: inout [[Resolution]]) {
        for index in events.indices {
            let known = earliest[Int(events[index].action)]
            if known < 0 || events[index].precedes(events[known]) { earliest[Int(events[index].action)] = index }
        }
        for index in events.indices {
            let event = events[index]
            let first = earliest[Int(event.action)]
            // Mostly the earliest of all decides; else a later one that is within reach may come before.
            let counts =
                first == index
                || !areWithinReach(events[first].part, event.part)
                    && !events.contains {
                        $0.action == event.action && $0.part != event.part && $0.precedes(event)
                            && areWithinReach($0.part, event.part)
                    }
            if !counts { resolutions[parts[event.part].partition][event.index] = Resolution(counts: false) }
        }
        for index in events.indices { earliest[Int(events[index].action)] = -1 }
    }

    private func resolveFirsts(_ resolutions: inout [[Resolution]]) {
        for index in parts.indices {
            let first = events[parts[index].first]
            var stages: Stages = []
            var isFirst = true
            for other in parts.indices where areWithinReach(other, index) {
                stages.formUnion(parts[other].stages)
                if events[parts[other].first].precedesInMessage(first) { isFirst = false }
            }
            let before = resolutions[parts[index].partition][first.index]
            resolutions[parts[index].partition][first.index] = before.earliest(isFirst: isFirst, stages)
        }
    }

    @inline(__always)
    private func areWithinReach(_ a: Int, _ b: Int) -> Bool {
        abs(Int(logDates[parts[a].partition]) - Int(logDates[parts[b].partition])) <= windowDays
    }
}
