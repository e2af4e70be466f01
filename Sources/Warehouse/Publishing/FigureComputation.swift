import Calendar
import Counting
import Events
import Posix

/// Computes the figures of all partitions.
///
/// The figures of a partition are its standalone tables, minus the events that do not count. Each message is in the row
/// of its first event among all partitions within reach. Figures are always computed from these facts, never from
/// earlier figures. The facts are cached (see `PartitionCache`), so no two versions of partitions are compared twice.
struct FigureComputation: Sendable {
    let basis: PublicationBasis
    /// Has looked up the days around the log dates already; its copies need not do it again.
    private let days: DayClock

    private var partitions: PartitionSet { basis.partitions }
    private var settings: PublicationSettings { basis.settings }
    private var resources: PublishingResources { basis.resources }

    init(_ basis: PublicationBasis) {
        self.basis = basis
        let (settings, partitions) = (basis.settings, basis.partitions)
        days = DayClock(zone: settings.zone, around: partitions.summaries.map(\.logDate))
    }

    /// The figures of all partitions, in partition order.
    /// - Parameter unreadable: the partitions whose caches cannot be read. Others are added as soon as they are found.
    func figures(without unreadable: Set<Int> = []) throws(WarehouseError) -> [PartitionFigures] {
        PartitionCache.removeStrays(besides: partitions.summaries, in: partitions.folder)
        var unreadable = unreadable
        while true {
            do {
                return try figures(
                    partitions.summaries.enumerated().map { index, summary in
                        unreadable.contains(index) ? nil : PartitionCache(of: summary, in: partitions.folder)
                    })
            } catch {
                guard let index = unreadableCache(error), unreadable.insert(index).inserted else { throw error }
            }
        }
    }

    /// The partition whose cache an error is about; nil if it is about something else.
    func unreadableCache(_ error: WarehouseError) -> Int? {
        partitions.summaries.firstIndex { PartitionCache.path(of: $0, in: partitions.folder) == error.path }
    }

    private func figures(_ caches: [PartitionCache?]) throws(WarehouseError) -> [PartitionFigures] {
        var caches = caches
        let stamps = try verify(&caches)
        var neighbours = Neighbours(partitions.summaries, caches, windowDays: settings.windowDays)
        let comparison = try compare(neighbours)
        neighbours.add(comparison.pairs)
        let stale = caches.indices.filter { index in
            let isTouched = neighbours.compared.contains(index) || comparison.blocks[index] != nil
            guard let head = caches[index]?.head, !isTouched else { return true }
            // The figures of settled log dates are not computed, only kept is what they share with others.
            return !partitions.onlyForIDs.contains(index)
                && (head.settings != settings.version || head.sharing != neighbours.versions(sharingWith: index))
        }
        var figures = caches.map { $0.map { PartitionFigures(cache: $0, tables: nil) } }
        guard !stale.isEmpty else { return figures.compactMap { $0 } }
        let overlap = try Overlap(basis, stale: stale, caches, comparison, neighbours)
        let computed = try resources.workers.map(stale.count) { [caches, neighbours] number throws(WarehouseError) in
            try resources.check()
            let index = stale[number]
            return try compute(index, stamps[index], caches[index], overlap, neighbours)
        }
        for (index, computed) in zip(stale, computed) { figures[index] = computed }
        return figures.compactMap { $0 }
    }

    /// Verifies the partitions that changed since they were last verified, and caches the result. Returns the stamps of the
    /// sound files; nil where a later change might not show.
    private func verify(_ caches: inout [PartitionCache?]) throws(WarehouseError) -> [FileStamp?] {
        let stamps = try resources.workers.map(caches.count) { [caches] index throws(WarehouseError) -> FileStamp? in
            if let known = caches[index]?.head.stamp, known == FileStamp(path: partitions.path(index)) { return known }
            let partition = try partitions.partition(index)
            if !resources.justWritten.contains(partition.summary.logDate) { try partition.verify(resources.isStopped) }
            return partition.steadyStamp
        }
        for index in caches.indices where caches[index]?.head.stamp != stamps[index] {
            try caches[index]?.confirm(stamps[index], in: partitions.folder)
        }
        return stamps
    }

    private func compare(_ neighbours: Neighbours) throws(WarehouseError) -> Comparison {
        let involved = neighbours.involved
        guard !involved.isEmpty else { return Comparison() }
        return try Comparison(basis, involved, isCompared: involved.map(neighbours.compared.contains))
    }

    /// Computes and caches the figures of a partition.
    private func compute(
        _ index: Int, _ stamp: FileStamp?, _ cache: PartitionCache?, _ overlap: Overlap, _ neighbours: Neighbours
    ) throws(WarehouseError) -> PartitionFigures {
        let partition = try partitions.partition(index)
        let names = overlap.names(of: index)
        let runs = try overlap.sharedRuns(of: index, cache)
        let standalone = try standaloneTables(partition, names, cache)
        let tables = tables(standalone.tables, runs, names)
        let cache = try PartitionCache(
            of: partitions.summaries[index], stamp: stamp,
            neighbours: neighbours.facts(of: index), before: cache,
            standalone: standalone, runs, settings,
            sharing: neighbours.versions(sharingWith: index),
            days: [Int32: DayDigest](tables, names, logDate: partitions.summaries[index].logDate),
            in: partitions.folder)
        return PartitionFigures(cache: cache, tables: tables)
    }

    /// A partition's tables, computed from its cache.
    func tables(of index: Int, _ cache: PartitionCache, _ names: EventNames) throws(WarehouseError) -> DailyTables {
        let partition = try partitions.partition(index)
        let standalone = try standaloneTables(partition, names, cache)
        return tables(standalone.tables, try cache.sharedBlocks(NameCounts(names)).runs(), names)
    }

    private func tables(_ standalone: DailyTables, _ runs: [SharedRun], _ names: EventNames) -> DailyTables {
        var (tables, days) = (standalone, days)
        tables.merge(OverlapSums(runs.map(\.list), actions: names.actions, &days).tables)
        return tables
    }

    /// The standalone tables, and a key with the settings that they depend on. They come from the cache or from the
    /// partition.
    private func standaloneTables(
        _ partition: Partition, _ names: EventNames, _ cache: PartitionCache?
    ) throws(WarehouseError) -> (key: String, tables: DailyTables) {
        let sourceRanks = GlobalNames([names], pipelineSources: settings.sourceNames).sources.all(of: 0)
            .map { UInt16(truncatingIfNeeded: $0) }
        let key = "\(settings.zone.version) \(sourceRanks)"
        if let tables = try cache?.standaloneTables(key, NameCounts(names)) { return (key, tables) }
        return (key, try partition.standaloneTables(names, settings, resources.isStopped))
    }
}
