import Counting

/// The figures of days as they were added up over the shards.
package struct AddedFigures: FigureSource {
    package let digests: [Int32: DayDigest]
    private let days: [Int32: DayFigures]
    private let sourceNames: [String]
    /// The path of push.db, for errors.
    private let path: String

    /// - Parameters:
    ///   - digests: the sums over all shards, of all days.
    ///   - days: the figures of the days that change.
    package init(
        digests: [Int32: DayDigest], days: [DayFigures], sourceNames: [String], in folder: OutputFolder
    ) {
        self.digests = digests
        self.days = Dictionary(days.map { ($0.day, $0) }, uniquingKeysWith: { first, _ in first })
        self.sourceNames = sourceNames
        path = folder.databasePath
    }

    /// - Throws: `.replaced` if the figures of a day are missing, since push.db is not as it was.
    func prepare(_ days: Set<Int32>) throws(WarehouseError) {
        guard days.allSatisfy({ self.days[$0] != nil || digests[$0] == nil }) else { throw .replaced(path: path) }
    }

    func tables(of days: [Int32]) -> (CombinedTables, GlobalNames) {
        let figures = days.compactMap { self.days[$0] }
        let names = GlobalNames(figures.map(\.names), pipelineSources: sourceNames)
        var combined = CombinedTables(of: Set(days))
        for (index, figures) in figures.enumerated() {
            for (logDate, tables) in figures.tables { combined.merge(tables, at: index, names, logDate: logDate) }
        }
        return (combined, names)
    }
}
