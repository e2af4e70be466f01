import Counting
import Events

/// The figures of settled log dates. They are read, never computed.
struct SettledFigureSource: FigureSource {
    private let settled: SettledDates
    private let folder: OutputFolder
    private let workers: any Workers
    let digests: [Int32: DayDigest]

    init(_ settled: SettledDates, in folder: OutputFolder, _ workers: any Workers) {
        (self.settled, self.folder, self.workers) = (settled, folder, workers)
        digests = settled.dates.values.reduce(into: [:]) { sums, known in
            for (day, digest) in known.days { sums[day, default: DayDigest()] += digest }
        }
    }

    func parts(of days: Set<Int32>) throws(WarehouseError) -> [FigurePart] {
        let wanted = settled.dates.filter { !days.isDisjoint(with: $0.value.days.keys) }.sorted { $0.key < $1.key }
        return try workers.map(wanted.count) { index throws(WarehouseError) in try part(of: wanted[index].key) }
    }

    /// All figures of a settled log date.
    func part(of logDate: Int32) throws(WarehouseError) -> FigurePart {
        guard let known = settled.dates[logDate] else { throw .disorder(path: folder.settledPath(logDate)) }
        let file = try SettledFile.open(logDate, known.identity, in: folder)
        return try SettledFile.reporting(logDate, file.path) { () throws(WarehouseError) in
            let names = try file.names()
            return FigurePart(
                days: Set(known.days.keys), logDate: logDate, names: names,
                tables: try file.standaloneTables(NameCounts(names)))
        }
    }
}
