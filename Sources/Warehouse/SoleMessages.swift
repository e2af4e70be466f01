import Events

/// Adds up the messages that lie in one partition only, in that partition's own numbers: all their events count, and
/// the earliest is the message's first. The hot loop of publishing.
struct SoleMessages: Sendable {
    private(set) var daily = DailyActions()
    private(set) var funnel = DailyFunnel()
    /// By the partition's own numbers.
    private let sourceRanks: [UInt32]
    private let stages: [Stages]

    /// `sourceRanks` order the partition's sources as in the pipeline of now; its deliveries and actions are in order.
    init(sourceRanks: [UInt32], stages: [Stages]) {
        self.sourceRanks = sourceRanks
        self.stages = stages
    }

    /// Adds whole messages.
    mutating func add(_ events: Span<Event>, days: inout DayClock) {
        var start = 0
        while start < events.count {
            let first = events[start]
            var earliest = first
            var earliestDay = days.day(of: first.time)
            var reached = stages[Int(first.action)]
            daily.add(first, day: earliestDay, counts: true)
            var next = start &+ 1
            while next < events.count, events[next].id.isSame(as: first.id) {
                let event = events[next]
                let day = days.day(of: event.time)
                daily.add(event, day: day, counts: true)
                reached.formUnion(stages[Int(event.action)])
                if event.time < earliest.time || event.time == earliest.time && precedes(event, earliest) {
                    earliest = event
                    earliestDay = day
                }
                next &+= 1
            }
            funnel.add(day: earliestDay, platform: earliest.platform, delivery: earliest.delivery, stages: reached)
            start = next
        }
    }

    /// The order of SPEC 7 for events of one time; those of one message come by action.
    private func precedes(_ a: Event, _ b: Event) -> Bool {
        if a.source != b.source { return sourceRanks[Int(a.source)] < sourceRanks[Int(b.source)] }
        if a.delivery != b.delivery { return a.delivery < b.delivery }
        if a.platform != b.platform { return a.platform.rawValue < b.platform.rawValue }
        return a.action < b.action
    }
}
