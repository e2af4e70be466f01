import Events

extension DailyTables {
    /// Adds the rows that other tables have for some days. Their names get their common numbers.
    /// - Parameters:
    ///   - index: the index of the other tables' names in `names`.
    ///   - didAdd: called with each row of daily_actions that was added, with its common numbers.
    mutating func add(
        _ other: DailyTables, of days: Set<Int32>, at index: Int, _ names: GlobalNames,
        didAdd: (PackedKey, EventCounts) -> Void = { _, _ in }
    ) {
        var filter = DayFilter(days)
        for entry in other.daily.table.entries {
            let row = DailyActions.Row(entry.key, entry.value)
            guard filter.holds(row.day) else { continue }
            let source = UInt16(truncatingIfNeeded: names.sources.global(Int(row.source), of: index))
            let delivery = names.deliveries.global(Int(row.delivery), of: index)
            let action = UInt16(truncatingIfNeeded: names.actions.global(Int(row.action), of: index))
            let key = PackedKey(row.day, source, row.platform, delivery, action)
            daily.table.add(entry.value, at: key)
            didAdd(key, entry.value)
        }
        for entry in other.funnel.table.entries where entry.value != 0 {
            guard filter.holds(DailyFunnel.day(entry.key)) else { continue }
            var key = entry.key
            let delivery = names.deliveries.global(Int(UInt32(truncatingIfNeeded: key.high)), of: index)
            key.high = (key.high >> 32) << 32 | UInt64(delivery)
            funnel.merge(entry.value, at: key)
        }
        for entry in other.hourly.table.entries {
            let row = HourlyActions.Row(entry.key, entry.value)
            guard filter.holds(row.day) else { continue }
            let source = UInt16(truncatingIfNeeded: names.sources.global(Int(row.source), of: index))
            let action = UInt16(truncatingIfNeeded: names.actions.global(Int(row.action), of: index))
            hourly.table.add(row.counts, at: PackedKey(row.hour, source, row.platform, action))
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
