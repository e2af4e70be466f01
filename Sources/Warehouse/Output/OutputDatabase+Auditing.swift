import GRDB

extension OutputDatabase {
    /// Reads all partitions whole, computes all figures from them, and compares them with push.db. What is cached about
    /// unchanged partitions is used, and nothing is cached.
    /// - Throws: `.missing` if there is no push.db; `.stopped`; errors other than damage of a partition.
    package func audit(
        _ settings: PublicationSettings, resources: PublishingResources
    ) throws(WarehouseError) -> OutputAudit {
        let folder = folder.withoutCaching
        var audit = OutputAudit()
        let (partitions, damaged) = try OutputDatabase.verified(in: folder, resources)
        audit.damaged = damaged.sorted { ($0.path ?? "") < ($1.path ?? "") }
        let state = try readUnchecked(isStopped: resources.isStopped) { database in
            let objects = try OutputObjects(database)
            audit.faultyTables = objects.faultyTables
            audit.triggers = objects.foreignTriggers
            guard audit.faultyTables.isEmpty else { return nil as AuditedState? }
            return AuditedState(
                published: try OutputDatabase.publishedItems(database),
                digests: try TableDigests(of: OutputSchema.tables, in: database),
                deliveries: try DeliveryTables.digests(settings.deliveries, from: database))
        }
        guard let state else { throw .missing(path: path) }
        guard let state else { return audit }
        audit.changes = OutputDigests(in: folder).map { TableDigests.listed($0.differences(from: state.digests)) }
        let inputs = inputItems(partitions, settings)
        let known = state.published.filter { item, _ in !item.contains(" ") }
        audit.unpublished = Set(inputs.keys).union(known.keys).filter { inputs[$0] != known[$0] }.sorted()
        guard audit.unpublished.isEmpty, audit.damaged.isEmpty else { return audit }
        let basis = PublicationBasis(partitions: partitions, settings: settings, resources: resources)
        var content = try OutputContent(FigureComputation(basis))
        try content.prepare(content.allDays)
        var wanted = try content.allDigests(inputs: inputs)
        for table in OutputSchema.byDelivery { wanted[table] = state.deliveries[table] }
        for table in OutputSchema.history { wanted[table] = state.digests[table] }
        audit.differences = TableDigests.listed(state.digests.differences(from: wanted))
        return audit
    }

    /// Opens the partitions, and reads all that has a hash.
    private static func verified(
        in folder: OutputFolder, _ resources: PublishingResources
    ) throws(WarehouseError) -> (PartitionSet, damaged: [WarehouseError]) {
        let (all, unopened) = try PartitionSet.open(folder)
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
        let sound = try PartitionSet.open(folder, without: Set(damaged.compactMap(\.path)))
        return (sound.0, sound.damaged + damaged)
    }
}

/// What an audit takes from push.db.
private struct AuditedState {
    /// The entries of `publication`.
    let published: [String: String]
    let digests: TableDigests
    /// The digests of the tables by delivery, as they follow from the daily tables and the delivery files.
    let deliveries: TableDigests
}
