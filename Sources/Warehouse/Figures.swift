import Events

/// The daily figures of several partitions together, of some days.
struct Figures: Sendable {
    let days: ChangedDays
    var daily = DailyActions()
    var funnel = DailyFunnel()

    init(of days: ChangedDays) {
        self.days = days
    }

    /// Adds what a partition's figures, which are in its own numbers, have of the days.
    mutating func merge(_ figures: PartitionFigures, of partition: Int, _ names: GlobalNames) {
        daily.merge(
            figures.daily, of: days.daily,
            source: { UInt16(truncatingIfNeeded: names.sources.global(Int($0), of: partition)) },
            delivery: { names.deliveries.global(Int($0), of: partition) },
            action: { UInt16(truncatingIfNeeded: names.actions.global(Int($0), of: partition)) })
        funnel.merge(figures.funnel, of: days.funnel) { names.deliveries.global(Int($0), of: partition) }
    }
}
