import Calendar
import Counting

/// The figures of one shard: compared and counted among its own partitions, as those of an output without shards are.
package struct ShardFigures {
    private var source: PartitionFigureSource
    private let partitions: PartitionSet

    /// - Throws: the first damage of a partition, and what reading them throws.
    package init(
        of folder: OutputFolder, _ settings: PublicationSettings, resources: PublishingResources
    ) throws(WarehouseError) {
        let (partitions, damaged) = try PartitionSet.open(folder)
        if let damage = damaged.first { throw damage }
        // A partition that is gone has no error of its own.
        let found = Set(partitions.summaries.map(\.logDate))
        for logDate in try folder.logDates() where !found.contains(logDate) {
            throw .missing(path: folder.partitionPath(logDate))
        }
        let basis = PublicationBasis(partitions: partitions, settings: settings, resources: resources)
        source = try PartitionFigureSource([FigureComputation(basis)], basis)
        self.partitions = partitions
    }

    /// The sums over the shard's partitions, by day.
    package var digests: [Int32: DayDigest] { source.digests }

    /// The figures of some days, in their order.
    package mutating func figures(of days: [Int32]) throws(WarehouseError) -> [DayFigures] {
        try source.prepare(Set(days))
        return days.map { source.figures(of: $0) }
    }
}
