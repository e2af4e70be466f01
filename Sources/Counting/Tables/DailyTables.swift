/// The daily tables of a partition, in the partition's own numbers.
package struct DailyTables: Sendable {
    package var daily = DailyActions()
    package var funnel = DailyFunnel()

    package init() {}

    package init(daily: DailyActions, funnel: DailyFunnel) {
        self.daily = daily
        self.funnel = funnel
    }

    /// Turns standalone tables into those beside the other partitions.
    /// - Returns: the rows of which the first or last event that counts must be searched for. They are not changed.
    package mutating func resolve(_ overlap: OverlapSums, _ unshared: UnsharedTimes) -> [PackedKey] {
        funnel.merge(overlap.funnel)
        return resolve(overlap.rows.entries, unshared)
    }

    /// Resolves these rows, for which `unshared` has the times.
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
