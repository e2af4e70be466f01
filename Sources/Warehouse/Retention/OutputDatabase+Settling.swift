import Counting

// An output with shards settles before it publishes: tasks give the figures of the log dates that are due.

extension OutputDatabase {
    /// The most log dates that are to settle at the same time, since their figures are in memory.
    package static let settlingAtATime = OldLogDates.atATime

    /// Closes log dates, and returns those that are to settle, in order. The caller must hold the output's lock.
    package func close(
        _ closing: inout Closing, _ settings: PublicationSettings, resources: PublishingResources
    ) throws(WarehouseError) -> [Int32] {
        var (old, partitions, damaged) = try oldLogDates(resources)
        let published = (try? publishedVersions()) ?? [:]
        try old.close(closing, partitions, damaged: damaged, published: published.keys, settings)
        let due = old.dueDates(partitions)
        closing.done = old.result
        return due
    }

    /// Settles log dates, whose parts have all their figures. Returns what these add to the days. The caller must hold the
    /// output's lock.
    package func settle(
        _ parts: [FigurePart], _ closing: inout Closing, _ settings: PublicationSettings,
        resources: PublishingResources
    ) throws(WarehouseError) -> [Int32: [Int32: DayDigest]] {
        var (old, partitions, _) = try oldLogDates(resources)
        try old.settle(parts, partitions, settings)
        closing.done?.settled += parts.map(\.logDate).sorted()
        return Dictionary(uniqueKeysWithValues: parts.map { ($0.logDate, old.settled.dates[$0.logDate]?.days ?? [:]) })
    }

    private func oldLogDates(
        _ resources: PublishingResources
    ) throws(WarehouseError) -> (OldLogDates, PartitionSet, damaged: [WarehouseError]) {
        let old = try OldLogDates(in: folder, resources)
        let (partitions, damaged) = try PartitionSet.open(folder, old.closed, old.settled)
        return (old, partitions, damaged)
    }
}
