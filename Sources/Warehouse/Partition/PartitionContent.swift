import Events

/// What a partition says, but for its events and rejects, as its writer knows it.
struct PartitionContent: Sendable {
    var summary: PartitionSummary?
    var names = EventNames(sources: [], actions: [], deliveries: [])
    var figures = PartitionFigures(daily: DailyActions(), funnel: DailyFunnel())
    var places: [Section: [BlockPlace]] = [:]
    var files: [LoadedFile] = []
    var outcomes: [OutcomeCount] = []
}

/// A partition that is on its way into its place: publishing takes it for the one that stands there.
package struct ArrivingPartition: Sendable {
    let partition: Partition
}
