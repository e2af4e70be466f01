import Events

/// The tables of several partitions, added up for some days.
package struct CombinedTables: Sendable {
    private let days: Set<Int32>
    private var daily = DailyActions()
    private var funnel = DailyFunnel()
    private var hourly = HourlyActions()
    private var lateness = DailyLateness()

    package init(of days: Set<Int32>) {
        self.days = days
    }

    /// Adds a partition's rows of these days.
    /// - Parameters:
    ///   - index: the partition's index in `names`.
    ///   - logDate: the partition's, in days since 1970-01-01.
    package mutating func merge(_ tables: DailyTables, at index: Int, _ names: GlobalNames, logDate: Int32) {
        var filter = DayFilter(days)
        for entry in tables.daily.table.entries {
            let row = DailyActions.Row(entry.key)
            guard filter.holds(row.day) else { continue }
            let source = UInt16(truncatingIfNeeded: names.sources.global(Int(row.source), of: index))
            let delivery = names.deliveries.global(Int(row.delivery), of: index)
            let action = UInt16(truncatingIfNeeded: names.actions.global(Int(row.action), of: index))
            daily.merge(entry.value, at: PackedKey(row.day, source, row.platform, delivery, action))
            let counts = EventCounts(events: entry.value.events, duplicates: entry.value.duplicates)
            lateness.add(counts, day: row.day, logDate: logDate, source: source)
        }
        for entry in tables.funnel.table.entries where entry.value != 0 {
            guard filter.holds(DailyFunnel.day(entry.key)) else { continue }
            var key = entry.key
            let delivery = names.deliveries.global(Int(UInt32(truncatingIfNeeded: key.high)), of: index)
            key.high = (key.high >> 32) << 32 | UInt64(delivery)
            funnel.merge(entry.value, at: key)
        }
        for entry in tables.hourly.table.entries {
            let row = HourlyActions.Row(entry.key, entry.value)
            guard filter.holds(row.day) else { continue }
            let source = UInt16(truncatingIfNeeded: names.sources.global(Int(row.source), of: index))
            let action = UInt16(truncatingIfNeeded: names.actions.global(Int(row.action), of: index))
            hourly.table.add(row.counts, at: PackedKey(row.hour, source, row.platform, action))
        }
    }

    package func rows(_ names: GlobalNames) -> DailyRows {
        let paths = DailyPaths(funnel)
        return DailyRows(
            actions: daily.rows(sourceRanks: names.sourceRanks), funnel: funnel.rows(),
            totals: DailyTotals(daily, paths).rows, hours: hourly.rows(sourceRanks: names.sourceRanks),
            lateness: lateness.rows(sourceRanks: names.sourceRanks), paths: paths.rows)
    }
}

/// Tests days for membership in a set. Remembers the last day, because neighbouring rows mostly have the same day.
private struct DayFilter {
    private let days: Set<Int32>
    private var known: (day: Int32, isHeld: Bool)?

    init(_ days: Set<Int32>) {
        self.days = days
    }

    @inline(__always)
    mutating func holds(_ day: Int32) -> Bool {
        if let known, known.day == day { return known.isHeld }
        let isHeld = days.contains(day)
        known = (day, isHeld)
        return isHeld
    }
}
