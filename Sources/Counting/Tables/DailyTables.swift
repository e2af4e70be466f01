/// The daily tables of a partition, in the partition's own numbers.
package struct DailyTables: Sendable {
    package var daily = DailyActions()
    package var funnel = DailyFunnel()

    package init() {}

    package init(daily: DailyActions, funnel: DailyFunnel) {
        self.daily = daily
        self.funnel = funnel
    }

    /// The rows of daily_actions of which nobody knows yet the first or the last event that counts. These are standalone
    /// tables.
    package func rowsToSearch(_ overlap: OverlapSums, _ unshared: UnsharedTimes) -> [PackedKey] {
        overlap.rows.entries.filter { entry in
            guard entry.value.notCounting > 0, let row = daily.table[entry.key],
                row.events > entry.value.notCounting
            else { return false }
            return entry.value.times(in: row, unshared[entry.key]) == nil
        }.map(\.key)
    }

    /// Turns standalone tables into those beside the other partitions. Nothing must be left to search.
    package mutating func resolve(_ overlap: OverlapSums, _ unshared: UnsharedTimes) {
        for entry in overlap.rows.entries where entry.value.notCounting > 0 {
            daily.update(entry.key) { row in
                let times = entry.value.times(in: row, unshared[entry.key])
                row.events &-= entry.value.notCounting
                row.duplicates &+= entry.value.notCounting
                (row.first, row.last) = row.events > 0 ? times ?? (row.first, row.last) : (.max, .min)
            }
        }
        funnel.merge(overlap.funnel)
    }
}
