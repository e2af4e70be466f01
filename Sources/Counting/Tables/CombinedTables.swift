import Events

/// The tables of several partitions, added up for some days.
package struct CombinedTables: Sendable {
    private let days: Set<Int32>
    private var tables = DailyTables()
    private var lateness = DailyLateness()

    package init(of days: Set<Int32>) {
        self.days = days
    }

    /// Adds a partition's rows of these days.
    /// - Parameters:
    ///   - index: the partition's index in `names`.
    ///   - logDate: the partition's, in days since 1970-01-01.
    package mutating func merge(_ part: DailyTables, at index: Int, _ names: GlobalNames, logDate: Int32) {
        tables.add(part, of: days, at: index, names) { key, counts in
            let row = DailyActions.Row(key)
            lateness.add(counts, day: row.day, logDate: logDate, source: row.source)
        }
    }

    package func rows(_ names: GlobalNames) -> DailyRows {
        let paths = DailyPaths(tables.funnel)
        return DailyRows(
            actions: tables.daily.rows(sourceRanks: names.sourceRanks), funnel: tables.funnel.rows(),
            totals: DailyTotals(tables.daily, paths).rows, hours: tables.hourly.rows(sourceRanks: names.sourceRanks),
            lateness: lateness.rows(sourceRanks: names.sourceRanks), paths: paths.rows)
    }
}
