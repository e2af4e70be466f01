import Calendar
import Events

/// What the shared messages of a partition come to beside the other partitions, in the partition's own numbers.
package struct OverlapSums: Sendable {
    /// The events of shared messages in a row of daily_actions.
    struct Row: Sendable {
        var notCounting = 0
        /// Milliseconds since 1970 of the earliest and latest event that counts, and that does not.
        var firstCounting = Int64.max
        var lastCounting = Int64.min
        var firstNotCounting = Int64.max
        var lastNotCounting = Int64.min
    }

    private(set) var rows = PackedTable<Row>()
    /// What the messages come to, less what they come to in the partition alone. Counts may be negative.
    private(set) var funnel = DailyFunnel()

    package init() {}

    /// Adds messages.
    /// - Parameters:
    ///   - events: all that the partition has of them, in the order of their ids.
    ///   - resolutions: of each event.
    ///   - actions: the names behind the partition's numbers.
    package mutating func add(
        _ events: [Event], _ resolutions: [Resolution], actions: [String], _ days: inout DayClock
    ) {
        let stagesOfActions = actions.map(Stages.init(action:))
        var start = 0
        while start < events.count {
            var end = start
            var stages: Stages = []
            var earliest = start
            while end < events.count, events[end].id == events[start].id {
                add(events[end], day: days.day(of: events[end].time), counts: resolutions[end].counts)
                stages.formUnion(stagesOfActions[Int(events[end].action)])
                if resolutions[end].isEarliest { earliest = end }
                end &+= 1
            }
            let resolution = resolutions[earliest]
            if !resolution.isFirst || resolution.stages != stages {
                let day = days.day(of: events[earliest].time)
                addMessages(-1, first: events[earliest], day: day, stages: stages)
                if resolution.isFirst { addMessages(1, first: events[earliest], day: day, stages: resolution.stages) }
            }
            start = end
        }
    }

    @inline(__always)
    private mutating func add(_ event: Event, day: Int32, counts: Bool) {
        rows.update(rows.index(of: PackedKey(event, day: day), initial: Row())) { row in
            if counts {
                row.firstCounting = min(row.firstCounting, event.time)
                row.lastCounting = max(row.lastCounting, event.time)
            } else {
                row.notCounting &+= 1
                row.firstNotCounting = min(row.firstNotCounting, event.time)
                row.lastNotCounting = max(row.lastNotCounting, event.time)
            }
        }
    }

    @inline(__always)
    private mutating func addMessages(_ messages: Int, first event: Event, day: Int32, stages: Stages) {
        funnel.add(
            day: day, platform: event.platform, delivery: event.delivery, stages: stages, messages: messages)
    }
}

extension OverlapSums.Row {
    /// The first and last event that counts of a row; nil if the unshared events must be searched for them.
    func times(in standalone: DailyActions.Sums, _ unshared: UnsharedTimes.Times?) -> (first: Int64, last: Int64)? {
        let first = OverlapSums.Row.first(
            standalone.first, firstCounting, firstNotCounting, unshared?.first ?? standalone.first,
            isExact: unshared?.isFirstExact ?? false)
        // The complement turns the order around.
        let last = OverlapSums.Row.first(
            ~standalone.last, ~lastCounting, ~lastNotCounting, ~(unshared?.last ?? standalone.last),
            isExact: unshared?.isLastExact ?? false)
        guard let first, let last else { return nil }
        return (first, ~last)
    }

    /// - Parameters:
    ///   - standalone: the first of all events.
    ///   - bound: no unshared event comes before it, and if it is exact, there is one at it.
    private static func first(
        _ standalone: Int64, _ counting: Int64, _ notCounting: Int64, _ bound: Int64, isExact: Bool
    ) -> Int64? {
        if notCounting > standalone { return standalone }
        if counting <= bound { return counting }
        return isExact ? bound : nil
    }
}
