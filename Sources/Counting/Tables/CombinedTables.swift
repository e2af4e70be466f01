import Events

/// The daily tables of several partitions, added up for some days.
package struct CombinedTables: Sendable {
    private let days: ChangedDays
    package private(set) var daily = DailyActions()
    package private(set) var funnel = DailyFunnel()

    package init(of days: ChangedDays) {
        self.days = days
    }

    /// Adds a partition's rows of these days.
    /// - Parameters:
    ///   - index: the partition's index in `names`.
    ///   - present: the days for which the partition has rows.
    package mutating func merge(
        _ tables: DailyTables, at index: Int, _ names: GlobalNames, days present: some Collection<Int32>
    ) {
        if !days.daily.isDisjoint(with: present) {
            var filter = DayFilter(days.daily)
            for entry in tables.daily.table.entries {
                let row = DailyActions.Row(entry.key)
                guard filter.holds(row.day) else { continue }
                let source = UInt16(truncatingIfNeeded: names.sources.global(Int(row.source), of: index))
                let delivery = names.deliveries.global(Int(row.delivery), of: index)
                let action = UInt16(truncatingIfNeeded: names.actions.global(Int(row.action), of: index))
                daily.merge(entry.value, at: PackedKey(row.day, source, row.platform, delivery, action))
            }
        }
        if !days.funnel.isDisjoint(with: present) {
            var filter = DayFilter(days.funnel)
            for entry in tables.funnel.table.entries where entry.value != 0 {
                guard filter.holds(DailyFunnel.day(entry.key)) else { continue }
                var key = entry.key
                let delivery = names.deliveries.global(Int(UInt32(truncatingIfNeeded: key.high)), of: index)
                key.high = (key.high >> 32) << 32 | UInt64(delivery)
                funnel.merge(entry.value, at: key)
            }
        }
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
