import Calendar
import Events

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

    /// Adds to the rows of an event in daily_actions and hourly_actions.
    @inline(__always)
    mutating func add(_ event: Event, _ counts: EventCounts, _ hour: LocalHour) {
        daily.table.add(counts, at: PackedKey(event, day: hour.day))
        hourly.table.add(counts, at: PackedKey(event, hour))
    }

    package mutating func merge(_ other: DailyTables) {
        daily.merge(other.daily)
        funnel.merge(other.funnel)
        hourly.merge(other.hourly)
    }
}

extension DailyTables {
    /// Adds the rows of other tables. Their names get their common numbers.
    /// - Parameter index: the index of the other tables' names in `names`.
    package mutating func add(_ other: DailyTables, at index: Int, _ names: GlobalNames) {
        for entry in other.daily.table.entries {
            let row = DailyActions.Row(entry.key, entry.value)
            let source = UInt16(truncatingIfNeeded: names.sources.global(Int(row.source), of: index))
            let delivery = names.deliveries.global(Int(row.delivery), of: index)
            let action = UInt16(truncatingIfNeeded: names.actions.global(Int(row.action), of: index))
            daily.table.add(entry.value, at: PackedKey(row.day, source, row.platform, delivery, action))
        }
        for entry in other.funnel.table.entries where entry.value != 0 {
            let delivery = names.deliveries.global(Int(entry.key.rest), of: index)
            funnel.merge(entry.value, at: PackedKey(entry.key.number, delivery, low: entry.key.low))
        }
        for entry in other.hourly.table.entries {
            let row = HourlyActions.Row(entry.key, entry.value)
            let source = UInt16(truncatingIfNeeded: names.sources.global(Int(row.source), of: index))
            let action = UInt16(truncatingIfNeeded: names.actions.global(Int(row.action), of: index))
            hourly.table.add(row.counts, at: PackedKey(row.hour, source, row.platform, action))
        }
    }
}
