import Calendar
import Counting
import GRDB
import Posix

/// What a publish did.
package struct Publication: Sendable {
    /// Whether the output DB was written.
    package var changed: Bool
    /// Whether the command's rows of the history were written with it.
    package var isRecorded: Bool
    /// The log dates whose partitions the figures were made from, in order.
    package var logDates: [Int32]
    /// Partitions that were left out, and why.
    package var damaged: [WarehouseError]
    /// How push.db was not as the last command had left it; nil if it was.
    package var repaired: OutputFaults?
}

extension OutputDatabase {
    /// Computes all figures from the partitions and makes the output DB say them, whatever became of it since the last
    /// command. `recording` is asked just before the commit, with whether anything changes and whether a partition is
    /// damaged, for rows of the history.
    package func publish(
        _ settings: PublicationSettings, resources: PublishingResources = PublishingResources(),
        recording: (_ changed: Bool, _ hasDamage: Bool) throws -> CommandRecord? = { _, _ in nil }
    ) throws(WarehouseError) -> Publication {
        // What is wrong with the output DB is better known before the work than after.
        var check = try check(isStopped: resources.isStopped)
        var faulty: [String: WarehouseError] = [:]
        while true {
            do {
                let (partitions, damaged) = try PartitionSet.open(folder, without: Set(faulty.keys))
                let all = damaged + faulty.values
                PartitionDamage.store(all, in: folder)
                let publication = try publish(partitions, damaged: all, settings, resources, check, recording)
                PartitionDamage.remove(allBut: all, in: folder)
                return publication
            } catch {
                if let damage = error.damage, error.path == path, !check.needsNewFile {
                    // Some damage of push.db shows only as it is written.
                    check = newFile(because: damage)
                    continue
                }
                if error.isDamage, let path = error.path, path.hasPrefix(folder.cachePath) {
                    // A cached file that does not read: whatever it held is computed anew.
                    try reportingCalls { () throws(SystemError) in try WholeFile.remove(path) }
                    continue
                }
                // Damage inside a partition shows only as it is read: go on without it.
                guard error.isDamage, let path = error.path, path != self.path, faulty[path] == nil else {
                    throw error
                }
                faulty[path] = error
            }
        }
    }

    /// Whether the output DB is the file that the last command left and says what the partitions and these settings say,
    /// and the partitions' files are those that were found whole; also where there is neither an output DB nor a partition.
    /// Reads no events. Never with a damaged partition, since that may have been loaded again.
    package func isCurrent(_ settings: PublicationSettings) throws(WarehouseError) -> Bool {
        let (partitions, damaged) = try PartitionSet.open(folder)
        guard isAsLeft else { return damaged.isEmpty && partitions.count == 0 && FileStamp(path: path) == nil }
        let published = try read { try OutputDatabase.publishedItems($0) } ?? [:]
        let inputs = published.filter { item, _ in !item.contains(" ") }
        guard damaged.isEmpty, inputs == OutputDatabase.inputItems(partitions, settings) else { return false }
        return partitions.summaries.indices.allSatisfy { place in
            let stamp = PartitionCache.stampFoundWhole(partitions.summaries[place], in: folder)
            return stamp != nil && stamp == FileStamp(path: partitions.path(place))
        }
    }

    private func publish(
        _ partitions: PartitionSet, damaged: [WarehouseError], _ settings: PublicationSettings,
        _ resources: PublishingResources, _ check: OutputCheck, _ recording: (Bool, Bool) throws -> CommandRecord?
    ) throws(WarehouseError) -> Publication {
        var check = check
        let published =
            check.needsNewFile || check.rewritten.contains(OutputSchema.publication.name)
            ? [:] : try readUnchecked(isStopped: resources.isStopped) { try OutputDatabase.publishedItems($0) } ?? [:]
        let inputs = OutputDatabase.inputItems(partitions, settings)
        let basis = PublicationBasis(partitions: partitions, settings: settings, resources: resources)
        var content = try OutputContent(FigureComputation(basis))
        if check.digests == nil {
            let comparison = OutputComparison(
                basis: basis, published: published, inputs: inputs)
            try content.prepare(content.allDays)
            try comparison.complete(&check, by: content)
        }
        let trusted = check.trusted(published)
        let days = content.changedDays(trusted)
        try content.prepare(days)
        let lists = try FileLists(partitions, changedSince: trusted)
        try resources.check()
        let waiting = WaitingRecords(in: folder)
        var changed = false
        var isRecorded = false
        let lost = try write(check, isStopped: resources.isStopped) { database, digests in
            var changes = try content.write(
                to: database, of: self, rewritten: check.rewritten, &digests)
            func replace(_ table: Table, _ rows: [[DatabaseValue]]) throws {
                changes += try table.replaceRows(rows, in: database)
                digests.set(rows, of: table)
            }
            try replace(OutputSchema.partitions, partitions.summaries.map(\.outputValues))
            changes += try lists.write(to: database, &digests)
            let items = inputs.merging(content.items) { input, _ in input }
            try replace(OutputSchema.publication, OutputSchema.publicationRows(items))
            try replace(OutputSchema.columnsHelp, OutputSchema.helpRows)
            changed = changes > 0 || check.needsWriting
            let record = try recording(changed, !damaged.isEmpty)
            guard record != nil || !waiting.isEmpty else { return changed }
            try waiting.insert(into: database)
            try record?.insert(into: database)
            isRecorded = record != nil
            return true
        }
        waiting.remove()
        var faults = check.faults
        faults.lost += lost
        return Publication(
            changed: changed, isRecorded: isRecorded, logDates: partitions.summaries.map(\.logDate),
            damaged: damaged.sorted { ($0.path ?? "") < ($1.path ?? "") }, repaired: faults.isEmpty ? nil : faults)
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
