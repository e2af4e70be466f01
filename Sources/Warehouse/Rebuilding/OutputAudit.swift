import Calendar
import Posix
import SQLite

/// How push.db differs from the partitions, and from the state that the last command left. Nothing is written.
package struct OutputAudit: Sendable {
    /// Why some partitions or settled files cannot be read or used. Sorted by path.
    package internal(set) var damaged: [WarehouseError] = []
    /// Files with ids that nothing needs any more.
    package internal(set) var leftIDs: [String] = []
    /// The log dates of which push.db shows another version than is there; also `settings` and `deliveries`.
    package internal(set) var unpublished: [String] = []
    /// Tables that are missing or have another definition.
    package internal(set) var faultyTables: [OutputFaults.Difference] = []
    /// Triggers of others on our tables.
    package internal(set) var triggers: [OutputFaults.Trigger] = []
    /// What others have added that does not let push.db be written.
    package internal(set) var obstacles: [String] = []
    /// Tables whose rows are not those that follow from the partitions.
    package internal(set) var differences: [OutputFaults.Difference] = []
    /// Tables whose rows are not those that the last command left; nil if those are not known.
    package internal(set) var changes: [OutputFaults.Difference]?
}

extension OutputDatabase {
    /// Reads all partitions whole, computes all figures from them, and compares them with push.db. What is cached about
    /// unchanged partitions is used, and nothing is cached.
    /// - Throws: `.missing` if there is no push.db; `.stopped`; errors other than damage of a partition.
    package func audit(
        _ settings: PublicationSettings, resources: PublishingResources
    ) throws(WarehouseError) -> OutputAudit {
        let folder = folder.withoutCaching
        var audit = OutputAudit()
        var old: OldLogDates?
        do throws(WarehouseError) {
            old = try OldLogDates(in: folder, resources, trustsStamps: false)
            audit.leftIDs = try Erasure(folder, old?.closed, today: nil).files
        } catch {
            guard case .retention = error else { throw error }
            audit.damaged.append(error)
        }
        let (partitions, damaged) = try verified(in: folder, old, settings, resources)
        audit.damaged = (audit.damaged + damaged).sorted { ($0.path ?? "") < ($1.path ?? "") }
        let state = try readUnchecked(isStopped: resources.isStopped) { database in
            let objects = try OutputObjects(database)
            audit.faultyTables = objects.faultyTables
            audit.triggers = objects.foreignTriggers
            guard audit.faultyTables.isEmpty else { return nil as AuditedState? }
            audit.obstacles = objects.obstacles(in: database)
            return AuditedState(
                published: try OutputDatabase.publishedItems(database),
                warnings: try LoadWarnings.column(in: database),
                digests: try TableDigests(of: OutputSchema.tables, in: database))
        }
        guard let state else { throw .missing(path: path) }
        guard let state else { return audit }
        audit.changes = OutputDigests(in: folder).map {
            OutputDatabase.listed($0.differences(from: state.digests))
        }
        guard old != nil else { return audit }
        let inputs = try inputItems(partitions, settings)
        let known = state.published.filter { item, _ in !item.contains(" ") }
        audit.unpublished = Set(inputs.keys).union(known.keys).filter { inputs[$0] != known[$0] }.sorted()
        guard audit.unpublished.isEmpty, audit.damaged.isEmpty else { return audit }
        let basis = PublicationBasis(partitions: partitions, settings: settings, resources: resources)
        var content = OutputContent(basis, try figures(in: folder, old, basis))
        try content.prepare(content.allDays)
        let wanted = try content.allDigests(
            inputs: inputs, history: state.digests, warnings: state.warnings)
        audit.differences = OutputDatabase.listed(state.digests.differences(from: wanted))
        return audit
    }

    /// The differences without `about`'s version of the program: another is no difference.
    private static func listed(_ differences: [String: Set<String>]) -> [OutputFaults.Difference] {
        list(differences.filter { $0.key != OutputSchema.about.name || $0.value != [OutputContent.versionKey] })
    }

    /// The figures of an output, or of all its shards.
    private func figures(
        in folder: OutputFolder, _ old: OldLogDates?, _ basis: PublicationBasis
    ) throws(WarehouseError) -> any FigureSource {
        guard var old else { return try PartitionFigureSource([FigureComputation(basis)], basis) }
        var partitions = basis.partitions
        guard folder.shardCount() != nil else {
            return try figures(&partitions, &old, basis.settings, basis.resources)
        }
        let settled = Set(old.settled.dates.keys)
        var computations: [FigureComputation] = []
        for shard in try readShards() {
            var (partitions, _) = try PartitionSet.open(shard)
            partitions.keepForIDs(settled)
            computations.append(
                FigureComputation(
                    PublicationBasis(partitions: partitions, settings: basis.settings, resources: basis.resources)))
        }
        return joined(try PartitionFigureSource(computations, basis), &partitions, old, basis.resources)
    }

    /// Opens the partitions, and reads all that has a hash; also in the shards.
    private func verified(
        in folder: OutputFolder, _ old: OldLogDates?, _ settings: PublicationSettings, _ resources: PublishingResources
    ) throws(WarehouseError) -> (PartitionSet, damaged: [WarehouseError]) {
        let (partitions, faults) = try OutputDatabase.verifiedPartitions(in: folder, old, resources)
        var damaged = faults
        do throws(WarehouseError) {
            let withIDs = try partitions.withIDs(old?.closed, windowDays: settings.windowDays, [:])
            for index in withIDs.onlyForIDs { try withIDs.partition(index).verify(resources.isStopped) }
        } catch {
            if case .retention = error {} else if !error.isDamage { throw error }
            damaged.append(error)
        }
        for shard in try readShards() {
            damaged += try OutputDatabase.verifiedPartitions(in: shard, nil, resources).damaged
            for logDate in try shard.logDates() where FileStamp(path: shard.partitionPath(logDate)) == nil {
                damaged.append(.corrupt(path: shard.partitionPath(logDate), detail: "the file is missing"))
            }
        }
        return (partitions, damaged)
    }

    private static func verifiedPartitions(
        in folder: OutputFolder, _ old: OldLogDates?, _ resources: PublishingResources
    ) throws(WarehouseError) -> (PartitionSet, damaged: [WarehouseError]) {
        func open(without: Set<String> = []) throws(WarehouseError) -> (PartitionSet, damaged: [WarehouseError]) {
            try PartitionSet.open(folder, old?.closed, old?.settled ?? .none, without: without)
        }
        let (all, unopened) = try open()
        let found = try resources.workers.map(all.count) { index throws(WarehouseError) -> WarehouseError? in
            do throws(WarehouseError) {
                try all.partition(index).verify(resources.isStopped)
                return nil
            } catch {
                guard error.isDamage else { throw error }
                return error
            }
        }
        let damaged = found.compactMap { $0 }
        guard !damaged.isEmpty else { return (all, unopened) }
        let sound = try open(without: Set(damaged.compactMap(\.path)))
        return (sound.0, sound.damaged + damaged)
    }
}

/// What an audit takes from push.db.
private struct AuditedState {
    /// The entries of `publication`.
    let published: [String: String]
    /// The column of `partitions`, by log date.
    let warnings: [Int32: String]
    let digests: TableDigests
}
