import Calendar
import Events

/// How shared messages change the standalone tables of a partition. Keys use the partition's own numbers.
package struct OverlapSums: Sendable {
    /// To be added to the standalone tables. The events that do not count are negative events and as many duplicates. The
    /// messages are those in their resolved rows, minus those in their standalone rows.
    package private(set) var tables = DailyTables()
    private let factor: Int

    /// - Parameters:
    ///   - lists: all shared messages of the partition.
    ///   - actions: the partition's action names.
    ///   - factor: what all counts are multiplied by: -1 to take back what was added.
    package init(_ lists: [ResolvedEvents], actions: [String], factor: Int = 1, _ days: inout DayClock) {
        self.factor = factor
        let stages = actions.map(Stages.init(action:))
        for list in lists { add(list, stages, &days) }
    }

    private mutating func add(_ list: ResolvedEvents, _ stagesOfActions: [Stages], _ days: inout DayClock) {
        let (events, resolutions) = (list.events.span, list.resolutions.span)
        let stagesOfActions = stagesOfActions.span
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
                if !resolution.counts { addNotCounting(events[end], &days) }
                end &+= 1
            } while end < events.count && events[end].id == id
            start = end
            let resolution = resolutions[earliest]
            let event = events[earliest]
            let outcome = MessageOutcome(stages, first: event.time, open: open)
            guard !resolution.isFirst || resolution.outcome != outcome else { continue }
            tables.funnel.add(first: event, outcome, messages: -factor, &days)
            if resolution.isFirst { tables.funnel.add(first: event, resolution.outcome, messages: factor, &days) }
        }
    }

    @inline(__always)
    private mutating func addNotCounting(_ event: Event, _ days: inout DayClock) {
        let hour = days.hour(of: event.time)
        let counts = EventCounts(events: -factor, duplicates: factor)
        tables.daily.table.add(counts, at: PackedKey(event, day: hour.day))
        tables.hourly.table.add(counts, at: PackedKey(event, hour))
    }
}
