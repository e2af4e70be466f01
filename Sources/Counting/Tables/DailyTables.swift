import Events

/// A partition's part of the output DB's figures, in the partition's own numbers.
struct PartitionFigures: Sendable {
    var daily: DailyActions
    var funnel: DailyFunnel

    /// Applies what other partitions change. Answers the rows of which the first or the last event may not count any more,
    /// so that another one is.
    mutating func apply(_ corrections: Corrections) -> [PackedKey] {
        var doubtful: [PackedKey] = []
        for entry in corrections.notCounting.entries where entry.value.events != 0 {
            let change = entry.value
            daily.correct(entry.key) { row in
                row.events &-= change.events
                row.duplicates &+= change.events
                if change.first <= row.first || change.last >= row.last { doubtful.append(entry.key) }
            }
        }
        funnel.merge(corrections.funnel)
        return doubtful
    }

    /// Tells the first and last event that counts of some rows.
    mutating func settle(_ times: PackedTable<EventTimes>) {
        for entry in times.entries {
            daily.correct(entry.key) { row in
                row.first = entry.value.first
                row.last = entry.value.last
            }
        }
    }

    /// Tells the same by figures of the same partition in which the same events count.
    mutating func settle(by known: DailyActions, _ rows: [PackedKey]) {
        for row in rows {
            guard let place = known.table.place(of: row) else { continue }
            let times = known.table.entries[place].value
            daily.correct(row) { row in
                row.first = times.first
                row.last = times.last
            }
        }
    }
}
