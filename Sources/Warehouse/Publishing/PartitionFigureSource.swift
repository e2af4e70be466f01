import Counting
import Events

/// The figures that follow from partitions: those of an output, or those of all its shards.
struct PartitionFigureSource: FigureSource {
    /// One for each set of partitions. No message is in two sets.
    private let computations: [FigureComputation]
    private let workers: any Workers
    private let sourceNames: [String]
    /// By computation and partition.
    private var figures: [[PartitionFigures]]
    /// By computation, the partitions whose caches turned out to be unreadable.
    private var unreadable: [Set<Int>]
    let digests: [Int32: DayDigest]
    /// The partitions that have rows for the prepared days.
    private var parts: [Part] = []
    /// The names of `parts`, in the same order.
    private var names = GlobalNames([], pipelineSources: [])

    private struct Part: Sendable {
        let days: Set<Int32>
        let logDate: Int32
        let names: EventNames
        let tables: DailyTables
    }

    init(_ computations: [FigureComputation], _ basis: PublicationBasis) throws(WarehouseError) {
        self.computations = computations
        unreadable = Array(repeating: [], count: computations.count)
        workers = basis.resources.workers
        sourceNames = basis.settings.sourceNames
        var figures: [[PartitionFigures]] = []
        for computation in computations { figures.append(try computation.figures()) }
        self.figures = figures
        var digests: [Int32: DayDigest] = [:]
        for figures in figures.joined() {
            for (day, digest) in figures.cache.head.days { digests[day, default: DayDigest()] += digest }
        }
        self.digests = digests
    }

    mutating func prepare(_ days: Set<Int32>) throws(WarehouseError) {
        while true {
            do {
                parts = try parts(of: days)
                names = GlobalNames(parts.map(\.names), pipelineSources: sourceNames)
                return
            } catch {
                // Until now only the heads of some caches were read.
                guard let set = computations.firstIndex(where: { $0.unreadableCache(error) != nil }),
                    let index = computations[set].unreadableCache(error), unreadable[set].insert(index).inserted
                else { throw error }
                figures[set] = try computations[set].figures(without: unreadable[set])
            }
        }
    }

    private func parts(of days: Set<Int32>) throws(WarehouseError) -> [Part] {
        let indices = figures.indices.flatMap { set in
            figures[set].indices.filter { !days.isDisjoint(with: figures[set][$0].cache.head.days.keys) }
                .map { (set: set, index: $0) }
        }
        return try workers.map(indices.count) { number throws(WarehouseError) in
            let (set, index) = indices[number]
            let (computation, known) = (computations[set], figures[set][index])
            let names = try computation.basis.partitions.partition(index).names()
            let tables =
                if let tables = known.tables { tables } else { try computation.tables(of: index, known.cache, names) }
            return Part(
                days: Set(known.cache.head.days.keys), logDate: computation.basis.partitions.summaries[index].logDate,
                names: names, tables: tables)
        }
    }

    /// The rows of a prepared day, by log date.
    func figures(of day: Int32) -> DayFigures {
        DayFigures(
            day,
            of: parts.filter { $0.days.contains(day) }.map {
                (logDate: $0.logDate, names: $0.names, tables: $0.tables)
            }, sources: sourceNames)
    }

    func tables(of days: [Int32]) -> (CombinedTables, GlobalNames) {
        var combined = CombinedTables(of: Set(days))
        for (index, part) in parts.enumerated() where days.contains(where: part.days.contains) {
            combined.merge(part.tables, at: index, names, logDate: part.logDate)
        }
        return (combined, names)
    }
}
