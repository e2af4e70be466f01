import Counting
import Events

/// Closes and settles an output with shards before a publishing. The caller must hold the output's lock.
package struct EarlySettling {
    private let output: OutputDatabase
    private let settings: PublicationSettings
    private let resources: PublishingResources

    package init(_ output: OutputDatabase, _ settings: PublicationSettings, resources: PublishingResources) {
        self.output = output
        self.settings = settings
        self.resources = resources
    }

    /// Settles what is due, and leaves it out of the figures, which are those of all shards.
    package func settle(_ figures: inout PartitionFigureSource, _ closing: inout Closing) throws(WarehouseError) {
        var old = try OldLogDates(in: output.folder, resources)
        let (partitions, damaged) = try PartitionSet.open(output.folder, old.closed, old.settled)
        let published = try output.publishedLogDates()
        try old.close(closing, partitions, damaged: damaged, published: published, settings)
        let due = old.dueDates(partitions)
        for logDate in due {
            let parts = try figures.parts(ofLogDates: [logDate])
            let global = GlobalNames(parts.map(\.names), pipelineSources: settings.sourceNames)
            var (tables, digests): (DailyTables, [Int32: DayDigest]) = (DailyTables(), [:])
            for (index, part) in parts.enumerated() {
                tables.add(part.tables, of: part.days, at: index, global)
                for (day, digest) in [Int32: DayDigest](part.tables, part.names, logDate: logDate) {
                    digests[day, default: DayDigest()] += digest
                }
            }
            let sum = FigurePart(days: tables.days, logDate: logDate, names: global.names, tables: tables)
            try old.settle([sum], [logDate: digests], partitions, settings)
        }
        closing.done = old.result
        figures.leaveOut(Set(due))
    }
}
