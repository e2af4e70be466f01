import Calendar
import Events

/// How shared messages change the standalone tables of a partition. Keys use the partition's own numbers.
package struct OverlapSums: Sendable {
    /// The events of shared messages in one row of daily_actions.
    struct Row: Sendable {
        var notCounting = 0
        /// Milliseconds since 1970: the earliest and latest event that counts (only in rows where they are needed), and
        /// the same for events that do not count.
        var firstCounting = Int64.max
        var lastCounting = Int64.min
        var firstNotCounting = Int64.max
        var lastNotCounting = Int64.min
    }

    /// The rows with at least one event that does not count.
    private(set) var rows = PackedTable<Row>()
    /// The messages in their resolved rows, minus the messages in their standalone rows. Counts may be negative.
    private(set) var funnel = DailyFunnel()
    /// The events that do not count: negative events, and as many duplicates.
    private(set) var hourly = HourlyActions()

    /// - Parameters:
    ///   - lists: all shared messages of the partition.
    ///   - standalone: the standalone table of the partition.
    ///   - actions: the partition's action names.
    ///   - deliveries: the number of its deliveries.
    package init(
        _ lists: [ResolvedEvents], standalone: DailyActions, actions: [String], deliveries: Int, _ days: inout DayClock
    ) {
        let stages = actions.map(Stages.init(action:))
        for list in lists { add(list, stages, &days) }
        // The deliveries of rows whose first or last event may not count. Only there the times of events that count are
        // needed.
        var isWanted = [Bool](repeating: false, count: deliveries)
        for entry in rows.entries {
            guard let row = standalone.table[entry.key],
                entry.value.firstNotCounting <= row.first || entry.value.lastNotCounting >= row.last
            else { continue }
            isWanted[Int(DailyActions.Row(entry.key).delivery)] = true
        }
        for list in lists { addTimes(list, isWanted, &days) }
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
            funnel.add(first: event, outcome, messages: -1, &days)
            if resolution.isFirst { funnel.add(first: event, resolution.outcome, &days) }
        }
    }

    @inline(__always)
    private mutating func addNotCounting(_ event: Event, _ days: inout DayClock) {
        let hour = days.hour(of: event.time)
        hourly.table.add(EventCounts(events: -1, duplicates: 1), at: PackedKey(event, hour))
        let key = PackedKey(event, day: hour.day)
        rows.update(rows.index(of: key, initial: Row())) { row in
            row.notCounting &+= 1
            row.firstNotCounting = min(row.firstNotCounting, event.time)
            row.lastNotCounting = max(row.lastNotCounting, event.time)
        }
    }

    private mutating func addTimes(_ list: ResolvedEvents, _ isWanted: [Bool], _ days: inout DayClock) {
        let (events, resolutions, isWanted) = (list.events.span, list.resolutions.span, isWanted.span)
        for index in events.indices where isWanted[Int(events[index].delivery)] && resolutions[index].counts {
            let time = events[index].time
            guard let row = rows.index(of: PackedKey(events[index], day: days.day(of: time))) else { continue }
            rows.update(row) { row in
                row.firstCounting = min(row.firstCounting, time)
                row.lastCounting = max(row.lastCounting, time)
            }
        }
    }
}

extension OverlapSums.Row {
    /// The first and last event of a row that count. Nil if the events of unshared messages must be searched.
    func times(in standalone: DailyActions.Sums, _ unshared: UnsharedTimes.Times?) -> (first: Int64, last: Int64)? {
        let first = OverlapSums.Row.first(
            standalone.first, firstCounting, firstNotCounting, unshared?.first ?? standalone.first,
            isExact: unshared?.isFirstExact ?? false)
        // The complement reverses the order.
        let last = OverlapSums.Row.first(
            ~standalone.last, ~lastCounting, ~lastNotCounting, ~(unshared?.last ?? standalone.last),
            isExact: unshared?.isLastExact ?? false)
        guard let first, let last else { return nil }
        return (first, ~last)
    }

    /// - Parameters:
    ///   - standalone: the time of the first event of the row.
    ///   - bound: no event of an unshared message is earlier. If `isExact`, there is one at this time.
    private static func first(
        _ standalone: Int64, _ counting: Int64, _ notCounting: Int64, _ bound: Int64, isExact: Bool
    ) -> Int64? {
        if notCounting > standalone { return standalone }
        if counting <= bound { return counting }
        return isExact ? bound : nil
    }
}
