import Calendar
import Events

/// How an event of a shared message is counted when other partitions are taken into account.
package struct Resolution: Sendable {
    /// Whether the event counts.
    var counts = true
    /// Whether this is the earliest event of the message in its partition. `isFirst` and `outcome` are valid only then.
    var isEarliest = false
    /// Whether this is the message's first event: no partition within reach has an earlier one.
    var isFirst = false
    /// What became of the message in all partitions within reach.
    var outcome = MessageOutcome(rawValue: 0)
}

extension DailyTables {
    /// Adds how the shared messages of a partition change its standalone tables. Keys use the partition's own numbers.
    ///
    /// The events that do not count are negative events and as many duplicates. The messages are those in their resolved rows,
    /// minus those in their standalone rows.
    ///
    /// - Parameters:
    ///   - events: all of these messages, sorted by id.
    ///   - resolutions: one for each event.
    ///   - actions: the partition's action names.
    ///   - factor: what all counts are multiplied by: -1 to take back what was added.
    package mutating func addCorrections(
        by events: [Event], _ resolutions: [Resolution], actions: [String], factor: Int, _ days: inout DayClock
    ) {
        assert(events.count == resolutions.count && events.span.isSorted)
        let (events, resolutions) = (events.span, resolutions.span)
        let stagesOfActions = actions.map(Stages.init(action:))
        var start = 0
        while start < events.count {
            let id = events[start].id
            var end = start
            var stages: Stages = []
            var open = Int64.max
            var earliest = start
            repeat {
                let resolution = resolutions[end]
                let stage = stagesOfActions[Int(events[end].action)]
                stages.formUnion(stage)
                if stage == .opened { open = events[end].time }
                if resolution.isEarliest { earliest = end }
                if !resolution.counts { addNotCounting(events[end], factor: factor, &days) }
                end &+= 1
            } while end < events.count && events[end].id == id
            start = end
            let resolution = resolutions[earliest]
            let event = events[earliest]
            let outcome = MessageOutcome(stages, first: event.time, open: open)
            guard !resolution.isFirst || resolution.outcome != outcome else { continue }
            funnel.add(first: event, outcome, messages: -factor, &days)
            if resolution.isFirst { funnel.add(first: event, resolution.outcome, messages: factor, &days) }
        }
    }

    @inline(__always)
    private mutating func addNotCounting(_ event: Event, factor: Int, _ days: inout DayClock) {
        let hour = days.hour(of: event.time)
        let counts = EventCounts(events: -factor, duplicates: factor)
        daily.table.add(counts, at: PackedKey(event, day: hour.day))
        hourly.table.add(counts, at: PackedKey(event, hour))
    }
}
