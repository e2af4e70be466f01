import Calendar
import Counting
import Posix
import SQLite

/// The result of a publishing.
package struct Publication: Sendable {
    /// Whether the output DB was written.
    package var changed: Bool
    /// Whether the command's history rows were written too.
    package var isRecorded: Bool
    /// The log dates of the published partitions, sorted.
    package var logDates: [Int32]
    /// Why some partitions were left out.
    package var damaged: [WarehouseError]
    /// Deliveries of which more messages arrived than were sent, among those that changed.
    package var understated: [UnderstatedDelivery]
    /// How push.db differed from the state that the last command left; nil if it did not.
    package var faults: OutputFaults?
    /// What became of a push.db that was made anew; nil if it was not, or if there was none.
    package var rebuild: OutputRebuild?
    /// What was closed, settled and erased; nil if nothing of that was asked for.
    package var closing: ClosingResult?
}

extension OutputDatabase {
    /// Computes all figures from the partitions and makes the output DB show them, even if it was changed or damaged
    /// since the last command. The caller must hold the output's lock.
    /// - Parameters:
    ///   - closing: what to do about old log dates; nil to close, settle and erase nothing.
    ///   - figures: where the figures come from; nil for the partitions of the output.
    ///   - recording: called just before the commit. Returns the command's history rows.
    /// - Throws: `.stopped`, and errors other than damage of a single partition.
    package func publish(
        _ settings: PublicationSettings, resources: PublishingResources = PublishingResources(),
        closing: Closing? = nil, figures: (any FigureSource)? = nil,
        recording: (_ changed: Bool, _ hasDamage: Bool) throws -> CommandRecord? = { _, _ in nil }
    ) throws(WarehouseError) -> Publication {
        // Look at the output DB first, so that its errors are known before the work starts.
        var state = try state(isStopped: resources.isStopped)
        var old = try OldLogDates(in: folder, resources)
        var faulty: [String: WarehouseError] = [:]
        while true {
            do {
                var (partitions, damaged) = try PartitionSet.open(
                    folder, old.closed, old.settled, without: Set(faulty.keys))
                damaged += faulty.values
                PartitionDamage.store(damaged, in: folder)
                if let closing {
                    let published = try publishedLogDates()
                    try old.close(closing, partitions, damaged: damaged, published: published, settings)
                }
                let source =
                    if let figures { joined(figures, &partitions, old, resources) } else {
                        try self.figures(&partitions, &old, settings, resources, without: faulty)
                    }
                var publication = try publish(
                    partitions, damaged: damaged, settings, resources, source, state, recording)
                if figures == nil, LedgerComparison.folder != nil {
                    let withIDs = try partitions.withIDs(old.closed, windowDays: settings.windowDays, faulty)
                    let settled = SettledFigureSource(old.settled, in: folder, resources.workers)
                    try LedgerComparison.check(
                        self, partitions,
                        PublicationBasis(partitions: withIDs, settings: settings, resources: resources)
                    ) { logDate throws(WarehouseError) in try settled.part(of: logDate) }
                }
                PartitionDamage.remove(allBut: damaged, in: folder)
                old.erase()
                publication.closing = old.result
                return publication
            } catch {
                if case .busy = error, resources.isStopped() { throw .stopped }
                if let damage = error.damage, error.path == path, !state.isUnusable {
                    // Some damage of push.db is found only while writing.
                    suspect()
                    state = .rebuilt(because: .damage(damage))
                    continue
                }
                // Other commands say so too, and it can be loaded again.
                if case .retention(.ids) = error { PartitionDamage.store([error], in: folder) }
                // Some damage of a partition is found only while reading. Continue without the partition. Other figures have
                // it in them already.
                guard figures == nil, error.isDamage, let path = error.path, path != self.path, faulty[path] == nil
                else {
                    throw error
                }
                faulty[path] = error
            }
        }
    }

    /// Where the figures come from: the partitions, once log dates that are due have settled, and the settled files.
    func figures(
        _ partitions: inout PartitionSet, _ old: inout OldLogDates, _ settings: PublicationSettings,
        _ resources: PublishingResources, without faulty: [String: WarehouseError] = [:]
    ) throws(WarehouseError) -> any FigureSource {
        let withIDs = try partitions.withIDs(old.closed, windowDays: settings.windowDays, faulty)
        let basis = PublicationBasis(partitions: withIDs, settings: settings, resources: resources)
        var computed = try PartitionFigureSource([FigureComputation(basis)], basis)
        try old.settle(&computed, withIDs, settings)
        return joined(computed, &partitions, old, resources)
    }

    /// Adds the figures of settled log dates.
    func joined(
        _ figures: any FigureSource, _ partitions: inout PartitionSet, _ old: OldLogDates,
        _ resources: PublishingResources
    ) -> any FigureSource {
        guard !old.settled.dates.isEmpty else { return figures }
        partitions.settle(old.settled)
        return JoinedFigureSource([figures, SettledFigureSource(old.settled, in: folder, resources.workers)])
    }

    /// Whether publishing would change nothing: the output DB is as the last command left it and shows these partitions
    /// and settings, no rows of the history wait, and the partitions are unchanged since they were verified. True if there
    /// is neither an output DB nor a partition. False if a partition is damaged, because it may have been loaded again.
    /// Reads no events.
    ///
    /// - Parameter closing: as of `publish`.
    package func isCurrent(_ settings: PublicationSettings, closing: Closing? = nil) throws(WarehouseError) -> Bool {
        let old = try OldLogDates(in: folder.withoutCaching, PublishingResources())
        if let closing, try old.hasWork(closing) { return false }
        let (partitions, damaged) = try PartitionSet.open(folder, old.closed, old.settled)
        guard isAsLeft else { return damaged.isEmpty && partitions.count == 0 && FileStamp(path: path) == nil }
        if WaitingRecords.exist(in: folder) { return false }
        let published = try read { try OutputDatabase.publishedItems($0) } ?? [:]
        let inputs = published.filter { item, _ in !item.contains(" ") }
        guard damaged.isEmpty, inputs == (try inputItems(partitions, settings)) else { return false }
        // The shards are checked by the tasks that read them.
        if folder.shardCount() != nil { return true }
        let withIDs = try partitions.withIDs(old.closed, windowDays: settings.windowDays, [:])
        return withIDs.summaries.indices.allSatisfy { index in
            let stamp = PartitionCache.verifiedStamp(withIDs.summaries[index], in: folder)
            return stamp != nil && stamp == FileStamp(path: withIDs.path(index))
        }
    }

    /// The days of which a publishing writes the figures, if the days have these sums, those of settled log dates left out. The caller must hold the output's lock.
    package func daysToPublish(
        _ digests: [Int32: DayDigest], isStopped: @escaping @Sendable () -> Bool = { false }
    ) throws(WarehouseError) -> Set<Int32> {
        let state = try state(isStopped: isStopped)
        guard case .sound = state.content else { return Set(digests.keys) }
        let published = try readUnchecked { try OutputDatabase.publishedItems($0) } ?? [:]
        let old = try OldLogDates(in: folder, PublishingResources(isStopped: isStopped))
        var all = digests
        for known in old.settled.dates.values {
            for (day, digest) in known.days { all[day, default: DayDigest()] += digest }
        }
        return OutputContent.changedDays(all, published).intersection(digests.keys)
    }

    private func publish(
        _ partitions: PartitionSet, damaged: [WarehouseError], _ settings: PublicationSettings,
        _ resources: PublishingResources, _ figures: any FigureSource, _ state: OutputState,
        _ recording: (Bool, Bool) throws -> CommandRecord?
    ) throws(WarehouseError) -> Publication {
        var state = state
        let inputs = try inputItems(partitions, settings)
        let basis = PublicationBasis(partitions: partitions, settings: settings, resources: resources)
        var content = OutputContent(basis, figures)
        var isCompared = true
        if case .uncompared(let found) = state.content {
            isCompared = false
            try content.prepare(content.allDays)
            state.resolve(try differences(of: found, from: content, inputs))
        }
        let published =
            state.isUnusable
            ? [:] : try readUnchecked(isStopped: resources.isStopped) { try OutputDatabase.publishedItems($0) } ?? [:]
        let former =
            state.isMissing && !OutputDigests.tellOfRows(in: folder)
            ? FormerPublication() : FormerPublication(of: self, state)
        let publicationChanges = PublicationChanges(since: former, content.digests, inputs)
        // Without certainty, all sums by delivery are compared.
        let days = content.changedDays(published).union(isCompared ? [] : content.allDays)
        try content.prepare(days)
        let hadArrivals = OutputContent.platformsWithArrivals(OutputContent.digests(published))
        let lists = try FileLists(partitions, changedSince: published)
        try resources.check()
        let waiting = try WaitingRecords(in: folder)
        var changed = false
        var isRecorded = false
        var understated: [UnderstatedDelivery] = []
        func fill(_ database: Database, _ digests: inout TableDigests) throws -> Bool {
            var (changes, sums) = try content.write(to: database, of: self, present: state.digests, &digests)
            // The days on which deliveries were sent depend on the settings.
            let isListNew = [OutputDatabase.deliveriesItem, OutputDatabase.settingsItem].contains {
                published[$0] != inputs[$0]
            }
            let otherDays = content.allDays.subtracting(days).sorted()
            let deliveries = DeliveryTables(
                list: settings.deliveries, setting: content.deliverySetting, sums: sums,
                present: state.isUnusable
                    ? .empty
                    : isCompared
                        ? .sound(otherDays: otherDays, isListNew: isListNew, hadArrivals: hadArrivals) : .uncertain)
            let written = try deliveries.write(to: database, &digests)
            changes += written.changes
            understated = written.understated
            changes += try content.writeDays(to: database, &digests)
            func replace(_ table: Table, _ rows: [[DatabaseValue]]) throws {
                changes += try table.replaceRows(rows, in: database)
                digests.set(rows, of: table)
            }
            let warnings = try LoadWarnings.column(in: database).filter { logDate, _ in
                // Nothing is known yet of a load that came after that of these warnings.
                let item = CalendarText.date(ofDay: logDate)
                return former.map { $0.items[item] == inputs[item] } ?? true
            }
            try replace(OutputSchema.partitions, content.partitionRows(warnings))
            changes += try lists.write(to: database, &digests)
            let items = inputs.merging(content.items) { input, _ in input }
            try replace(OutputSchema.publication, OutputSchema.publicationRows(items))
            try replace(OutputSchema.columnsHelp, OutputSchema.helpRows)
            try publicationChanges.write(to: database, time: FileStamp.now() / 1_000_000)
            changed = changes > 0 || state.needsWriting
            let record = try recording(changed, !damaged.isEmpty)
            guard record != nil || !waiting.isEmpty else { return changed }
            try waiting.insert(into: database)
            try record?.insert(into: database)
            isRecorded = record != nil
            return true
        }
        var rebuild: OutputRebuild?
        if case .unusable(let earlierSchema) = state.content {
            rebuild = try self.rebuild(isStopped: resources.isStopped) { _ = try fill($0, &$1) }
            rebuild?.earlierSchema = earlierSchema
        } else {
            try write(state, isStopped: resources.isStopped, fill)
        }
        waiting.remove()
        return Publication(
            changed: changed, isRecorded: isRecorded, logDates: partitions.summaries.map(\.logDate),
            damaged: damaged.sorted { ($0.path ?? "") < ($1.path ?? "") }, understated: understated,
            faults: state.faults.isEmpty ? nil : state.faults, rebuild: rebuild)
    }

    /// How rows with the digests `found` differ from those that follow from the partitions. A difference is a fault only
    /// if `publication` claims that the rows are up to date. `content` must hold the figures of all days.
    private func differences(
        of found: TableDigests, from content: OutputContent, _ inputs: [String: String]
    ) throws(WarehouseError) -> [OutputFaults.Difference] {
        let read = try readUnchecked { database in
            (
                try OutputDatabase.publishedItems(database), try LoadWarnings.column(in: database),
                // Nothing says what rows the history had.
                try OutputSchema.history.filter { table in
                    let conditions = table.columns.map(\.condition).joined(separator: " AND ")
                    return try Int.fetchOne(
                        database, sql: "SELECT 1 FROM \(table.name) NOT INDEXED WHERE NOT (\(conditions))") != nil
                }
            )
        }
        guard let (published, warnings, faultyHistory) = read else { return [] }
        let wanted = try content.allDigests(inputs: inputs, history: found, warnings: warnings)
        let items = inputs.merging(content.items) { input, _ in input }
        func isClaimed(_ table: String, _ date: String) -> Bool {
            switch table {
            case _ where OutputSchema.daily.contains { $0.name == table }:
                published[OutputContent.item(date)] == items[OutputContent.item(date)]
            // Another version of the program may have written the file.
            case OutputSchema.about.name: date != OutputContent.versionKey && published == items
            case OutputSchema.files.name, OutputSchema.outcomes.name: published[date] == items[date]
            case OutputSchema.columnsHelp.name: true
            default: published == items
            }
        }
        var differences = Dictionary(uniqueKeysWithValues: faultyHistory.map { ($0.name, Set<String>()) })
        for (table, dates) in found.differences(from: wanted) {
            let faulty = dates.filter { isClaimed(table, $0) }
            if !faulty.isEmpty { differences[table] = faulty }
        }
        return OutputDatabase.list(differences)
    }

    /// The item of `publication` for the settings.
    static let settingsItem = "settings"

    /// The item of `publication` for `deliveries.csv`.
    static let deliveriesItem = "deliveries"

    /// The item of `publication` for the pipeline file.
    static let pipelineItem = "pipeline"

    /// The inputs of the figures: the version of each log date, the settings, the pipeline file's fingerprint, and the
    /// version of `deliveries.csv`.
    func inputItems(
        _ partitions: PartitionSet, _ settings: PublicationSettings
    ) throws(WarehouseError) -> [String: String] {
        var items = [
            OutputDatabase.settingsItem: settings.version, OutputDatabase.pipelineItem: settings.pipeline,
        ]
        items[OutputDatabase.deliveriesItem] = try folder.deliveriesVersion()
        for summary in partitions.summaries { items[CalendarText.date(ofDay: summary.logDate)] = summary.version }
        return items
    }

    static func publishedItems(_ database: Database) throws -> [String: String] {
        var items: [String: String] = [:]
        for row in try Row.fetchAll(database, sql: OutputSchema.publication.selection) {
            items[try row.decode(String.self, atIndex: 0)] = try row.decode(String.self, atIndex: 1)
        }
        return items
    }
}
