/// The daily tables of one partition. Keys use the partition's own numbers for names.
package struct DailyTables: Sendable {
    package var daily: DailyActions
    package var funnel: DailyFunnel
    package var hourly: HourlyActions

    package init(
        daily: DailyActions = DailyActions(), funnel: DailyFunnel = DailyFunnel(),
        hourly: HourlyActions = HourlyActions()
    ) {
        self.daily = daily
        self.funnel = funnel
        self.hourly = hourly
    }

    package mutating func merge(_ other: DailyTables) {
        daily.merge(other.daily)
        funnel.merge(other.funnel)
        hourly.merge(other.hourly)
    }

    /// Changes standalone tables to the tables that take the other partitions into account.
    /// - Returns: the keys of the rows whose first or last event that counts must still be searched for. These rows are
    ///   not changed.
    package mutating func resolve(_ overlap: OverlapSums, _ unshared: UnsharedTimes) -> [PackedKey] {
        funnel.merge(overlap.funnel)
        hourly.merge(overlap.hourly)
        return resolve(overlap.rows.entries, unshared)
    }

    /// Resolves the given rows. `unshared` must hold their times.
    package mutating func resolve(_ rows: [PackedKey], _ overlap: OverlapSums, _ unshared: UnsharedTimes) {
        _ = resolve(rows.compactMap { key in overlap.rows[key].map { .init(key: key, value: $0) } }, unshared)
    }

    private mutating func resolve(
        _ entries: [PackedTable<OverlapSums.Row>.Entry], _ unshared: UnsharedTimes
    ) -> [PackedKey] {
        var left: [PackedKey] = []
        for entry in entries {
            daily.update(entry.key) { row in
                let events = row.events &- entry.value.notCounting
                var times = (first: Int64.max, last: Int64.min)
                if events > 0 {
                    guard let known = entry.value.times(in: row, unshared[entry.key]) else {
                        left.append(entry.key)
                        return
                    }
                    times = known
                }
                row.events = events
                row.duplicates &+= entry.value.notCounting
                (row.first, row.last) = times
            }
        }
        return left
    }
}
