import Counting

/// Closes and settles before a publishing, by figures that tasks give. The caller must hold the output's lock.
package struct EarlySettling {
    /// The most log dates that are to settle at the same time, since their figures are in memory.
    package static let atATime = OldLogDates.atATime

    private let output: OutputDatabase
    private let settings: PublicationSettings
    private let resources: PublishingResources

    package init(_ output: OutputDatabase, _ settings: PublicationSettings, resources: PublishingResources) {
        self.output = output
        self.settings = settings
        self.resources = resources
    }

    /// Closes log dates, and returns those that are to settle, in order.
    package func close(_ closing: inout Closing) throws(WarehouseError) -> [Int32] {
        var (old, partitions, damaged) = try oldLogDates()
        let published = try output.publishedLogDates()
        try old.close(closing, partitions, damaged: damaged, published: published, settings)
        let due = old.dueDates(partitions)
        closing.done = old.result
        return due
    }

    /// Settles log dates.
    /// - Parameters:
    ///   - parts: all their figures.
    ///   - digests: those of the same figures, by log date and day.
    package func settle(
        _ parts: [FigurePart], _ digests: [Int32: [Int32: DayDigest]], _ closing: inout Closing
    ) throws(WarehouseError) {
        var (old, partitions, _) = try oldLogDates()
        try old.settle(parts, digests, partitions, settings)
        closing.done?.settled += parts.map(\.logDate).sorted()
    }

    private func oldLogDates() throws(WarehouseError) -> (OldLogDates, PartitionSet, damaged: [WarehouseError]) {
        let old = try OldLogDates(in: output.folder, resources)
        let (partitions, damaged) = try PartitionSet.open(output.folder, old.closed, old.settled)
        return (old, partitions, damaged)
    }
}
