import Counting
import Events

/// The figures that follow from partitions: those of an output, or those of one or all of its shards.
package struct PartitionFigureSource: FigureSource {
    /// One for each set of partitions. No message is in two sets.
    private let computations: [FigureComputation]
    private let workers: any Workers
    /// By computation and partition.
    private var figures: [[PartitionFigures]]
    /// By computation, the partitions whose caches turned out to be unreadable.
    private var unreadable: [Set<Int>]
    /// The log dates that have settled files.
    private var settled: Set<Int32> = []
    package private(set) var digests: [Int32: DayDigest] = [:]

    /// The figures of shards, but for those of log dates that are settled.
    /// - Throws: the first damage of a partition, and what reading them throws.
    package init(
        ofAll shards: [OutputFolder], settled: Set<Int32>, _ settings: PublicationSettings,
        resources: PublishingResources
    ) throws(WarehouseError) {
        var bases: [PublicationBasis] = []
        for folder in shards {
            var (partitions, damaged) = try PartitionSet.open(folder)
            partitions.keepForIDs(settled)
            if let damage = damaged.first { throw damage }
            // A partition that is gone has no error of its own.
            let found = Set(partitions.summaries.map(\.logDate))
            for logDate in try folder.logDates() where !found.contains(logDate) {
                throw .missing(path: folder.partitionPath(logDate))
            }
            bases.append(PublicationBasis(partitions: partitions, settings: settings, resources: resources))
        }
        try self.init(bases.map { FigureComputation($0) }, bases[0])
    }

    init(_ computations: [FigureComputation], _ basis: PublicationBasis) throws(WarehouseError) {
        self.computations = computations
        unreadable = Array(repeating: [], count: computations.count)
        workers = basis.resources.workers
        var figures: [[PartitionFigures]] = []
        for computation in computations { figures.append(try computation.figures()) }
        self.figures = figures
        for computation in computations {
            let partitions = computation.basis.partitions
            settled.formUnion(partitions.onlyForIDs.map { partitions.summaries[$0].logDate })
        }
        leaveOut(settled)
    }

    /// Leaves out the figures of log dates, which are settled.
    mutating func leaveOut(_ logDates: Set<Int32>) {
        settled.formUnion(logDates)
        digests = [:]
        for set in figures.indices {
            for (index, figures) in figures[set].enumerated() where !settled.contains(logDate(set, index)) {
                for (day, digest) in figures.cache.head.days { digests[day, default: DayDigest()] += digest }
            }
        }
    }

    private func logDate(_ set: Int, _ index: Int) -> Int32 {
        computations[set].basis.partitions.summaries[index].logDate
    }

    package mutating func parts(of days: Set<Int32>) throws(WarehouseError) -> [FigurePart] {
        let settled = settled
        return try parts { logDate, known in
            !settled.contains(logDate) && !days.isDisjoint(with: known.cache.head.days.keys)
        }
    }

    /// All rows of some log dates.
    package mutating func parts(ofLogDates logDates: Set<Int32>) throws(WarehouseError) -> [FigurePart] {
        try parts { logDate, _ in logDates.contains(logDate) }
    }

    private mutating func parts(
        _ isWanted: (_ logDate: Int32, PartitionFigures) -> Bool
    ) throws(WarehouseError) -> [FigurePart] {
        while true {
            do {
                return try knownParts(isWanted)
            } catch {
                // Until now only the heads of some caches were read.
                guard let set = computations.firstIndex(where: { $0.unreadableCache(error) != nil }),
                    let index = computations[set].unreadableCache(error), unreadable[set].insert(index).inserted
                else { throw error }
                figures[set] = try computations[set].figures(without: unreadable[set])
            }
        }
    }

    private func knownParts(
        _ isWanted: (_ logDate: Int32, PartitionFigures) -> Bool
    ) throws(WarehouseError) -> [FigurePart] {
        let indices = figures.indices.flatMap { set in
            figures[set].indices.filter { isWanted(logDate(set, $0), figures[set][$0]) }.map { (set: set, index: $0) }
        }
        return try workers.map(indices.count) { number throws(WarehouseError) in
            let (set, index) = indices[number]
            let (computation, known) = (computations[set], figures[set][index])
            let names = try computation.basis.partitions.partition(index).names()
            let tables =
                if let tables = known.tables { tables } else { try computation.tables(of: index, known.cache, names) }
            return FigurePart(
                days: Set(known.cache.head.days.keys), logDate: computation.basis.partitions.summaries[index].logDate,
                names: names, tables: tables)
        }
    }
}
