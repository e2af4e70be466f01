import Counting
import Events

/// The figures of settled log dates. They are read, never computed.
struct SettledFigureSource {
    private let settled: SettledDates
    private let folder: OutputFolder

    init(_ settled: SettledDates, in folder: OutputFolder) {
        self.settled = settled
        self.folder = folder
    }

    /// All figures of a settled log date.
    func part(of logDate: Int32) throws(WarehouseError) -> FigurePart {
        guard let known = settled.dates[logDate] else { throw .disorder(path: folder.settledPath(logDate)) }
        let file = try SettledFile.open(logDate, known.identity, in: folder)
        return try SettledFile.reporting(logDate, file.path) { () throws(WarehouseError) in
            let names = try file.names()
            return FigurePart(
                logDate: logDate, names: names,
                tables: try file.standaloneTables(NameCounts(names)))
        }
    }
}
