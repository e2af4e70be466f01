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
        func add(_ other: ActionCounts, to sums: inout ActionCounts, _ rest: (ActionCounts.Row) -> UInt32) {
            for row in other.rows() {
                let source = UInt16(truncatingIfNeeded: names.sources[index][Int(row.source)])
                let action = UInt16(truncatingIfNeeded: names.actions[index][Int(row.action)])
                sums.table.add(row.counts, at: PackedKey(row.day, rest(row), source, row.platform, action))
            }
        }
        add(other.daily, to: &daily) { names.deliveries[index][Int($0.delivery)] }
        add(other.hourly, to: &hourly) { UInt32(bitPattern: $0.hour.offset) }
        for entry in other.funnel.table.entries where entry.value != 0 {
            let delivery = names.deliveries[index][Int(entry.key.rest)]
            funnel.merge(entry.value, at: PackedKey(entry.key.number, delivery, low: entry.key.low))
        }
    }
}
