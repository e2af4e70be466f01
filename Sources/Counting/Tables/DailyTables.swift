import Calendar
import Events

/// The daily tables of one partition. Keys use the partition's own numbers for names.
package struct DailyTables: Sendable {
    package var daily = ActionCounts(by: .day)
    package var funnel = DailyFunnel()
    package var hourly = ActionCounts(by: .hour)

    package init() {}

    /// Adds to the rows of an event in daily_actions and hourly_actions.
    @inline(__always)
    mutating func add(_ event: Event, counts: EventCounts, at hour: LocalHour) {
        daily.table.add(counts, at: PackedKey(event, day: hour.day))
        hourly.table.add(counts, at: PackedKey(of: event, at: hour))
    }

    package mutating func merge(_ other: DailyTables) {
        daily.merge(other.daily)
        funnel.merge(other.funnel)
        hourly.merge(other.hourly)
    }
}
