import Events
import GRDB

extension OutputDatabase {
    /// Computes all figures from the partitions and makes the output DB say them. `recording` is asked just before the
    /// commit, with whether anything changes and whether a partition is damaged, for a row of `runs`.
    package func publish(
        _ settings: PublicationSettings, means: PublicationMeans = PublicationMeans(),
        recording: (_ changed: Bool, _ hasDamage: Bool) throws -> RunRecord? = { _, _ in nil }
    ) throws(WarehouseError) -> Publication {
        // What is wrong with the output DB is better known before the work than after.
        _ = try read(isStopped: means.isStopped) { _ in true }
        var faulty: [String: WarehouseError] = [:]
        while true {
            do {
                let (partitions, damaged) = try PartitionSet.open(
                    folder, arriving: means.arriving, without: Set(faulty.keys))
                let all = damaged + faulty.values
                return try publish(partitions, damaged: all, settings, means, recording)
            } catch {
                // Damage inside a partition shows only as it is read: go on without it.
                guard error.isDamage, let path = error.path, path != self.path, faulty[path] == nil else {
                    throw error
                }
                faulty[path] = error
            }
        }
    }

    /// Whether the output DB says what the partitions and these settings say, and the partitions' files are those that were
    /// found whole; also where there is neither an output DB nor a partition. Reads no events. Never with a damaged
    /// partition, since that may have been mended.
    package func isCurrent(_ settings: PublicationSettings) throws(WarehouseError) -> Bool {
        let (partitions, damaged) = try PartitionSet.open(folder)
        let published = try read { try OutputDatabase.publishedItems($0) }
        guard let published else { return damaged.isEmpty && partitions.count == 0 }
        let inputs = published.filter { item, _ in !item.contains(" ") }
        guard damaged.isEmpty, inputs == OutputDatabase.inputItems(partitions, settings) else { return false }
        return partitions.summaries.indices.allSatisfy { place in
            let kept = KeptFigures(of: partitions.summaries[place], settings: settings, in: folder)
            return kept?.head.stamp != nil && kept?.head.stamp == PartitionStamp(path: partitions.path(place))
        }
    }

    private func publish(
        _ partitions: PartitionSet, damaged: [WarehouseError], _ settings: PublicationSettings,
        _ means: PublicationMeans, _ recording: (Bool, Bool) throws -> RunRecord?
    ) throws(WarehouseError) -> Publication {
        let published = try read(isStopped: means.isStopped) { try OutputDatabase.publishedItems($0) } ?? [:]
        let maker = FigureMaker(partitions, settings: settings, means: means)
        var content = OutputContent(try maker.figures())
        let days = content.changedDays(published)
        while try !content.readFigures(of: days, partitions, settings, means) {
            content = OutputContent(try maker.figures())
        }
        let inputs = OutputDatabase.inputItems(partitions, settings)
        let lists = try FileLists(partitions, changedSince: published)
        if means.isStopped() { throw .stopped }
        let unrecorded = UnrecordedRuns(in: folder)
        var changed = false
        try write(isStopped: means.isStopped) { database in
            var changes = try content.write(to: database, of: self, partitions, settings, means)
            changes += try OutputSchema.partitions.replaceRows(
                partitions.summaries.lazy.map(\.outputValues), in: database)
            changes += try lists.write(to: database)
            let items = inputs.merging(content.items) { input, _ in input }
            changes += try OutputSchema.publication.replaceRows(
                items.sorted { $0.key < $1.key }.map { [$0.databaseValue, $1.databaseValue] }, in: database)
            changes += try OutputSchema.columnsHelp.replaceRows(OutputSchema.helpRows, in: database)
            changed = changes > 0
            let run = try recording(changed, !damaged.isEmpty)
            content.confirmArrivals(partitions)
            guard let run else { return changed }
            try unrecorded.insert(into: database)
            try run.insert(into: database)
            return true
        }
        unrecorded.remove()
        return Publication(
            changed: changed, logDates: partitions.summaries.map(\.logDate),
            damaged: damaged.sorted { ($0.path ?? "") < ($1.path ?? "") })
    }

    /// What figures are made from: each log date's version, and the settings.
    private static func inputItems(
        _ partitions: PartitionSet, _ settings: PublicationSettings
    ) -> [String: String] {
        var items = ["settings": settings.version]
        for summary in partitions.summaries { items[CalendarText.date(ofDay: summary.logDate)] = summary.version }
        return items
    }

    private static func publishedItems(_ database: Database) throws -> [String: String] {
        var items: [String: String] = [:]
        for row in try Row.fetchAll(database, sql: OutputSchema.publication.selection) {
            items[try row.decode(String.self, atIndex: 0)] = try row.decode(String.self, atIndex: 1)
        }
        return items
    }
}

extension OutputSchema {
    /// The rows of `columns_help`, in the order of its key.
    static var helpRows: [[DatabaseValue]] {
        tables.sorted { $0.name < $1.name }.flatMap { table in
            table.columns.sorted { $0.name < $1.name }.map { column in
                [table.name.databaseValue, column.name.databaseValue, column.help.databaseValue]
            }
        }
    }
}
