import Calendar
import Events

/// For some rows of daily_actions, the times of the first and last events of messages that the partition does not share.
///
/// They are searched for where the first or last event of a row does not count, and stay as they are until an event at one
/// of these times turns out to be shared. From then on the time is only a bound.
package struct UnsharedTimes: Sendable {
    struct Times: Sendable {
        /// Milliseconds since 1970; the greatest number where there is no such event.
        var first = Int64.max
        /// The least number where there is no such event.
        var last = Int64.min
        /// Whether there is such an event at that time, rather than none before it.
        var isFirstExact = true
        var isLastExact = true
    }

    private var table = PackedTable<Times>()

    package init() {}

    subscript(key: PackedKey) -> Times? { table[key] }

    mutating func set(_ times: Times, of key: PackedKey) {
        table.update(table.index(of: key, initial: Times())) { $0 = times }
    }

    /// Takes note of events that are shared from now on.
    package mutating func share(_ events: [Event], _ days: inout DayClock) {
        for event in events {
            guard let index = table.index(of: PackedKey(event, day: days.day(of: event.time))) else { continue }
            table.update(index) { times in
                if event.time <= times.first { times.isFirstExact = false }
                if event.time >= times.last { times.isLastExact = false }
            }
        }
    }

    /// As rows of daily_actions, with 1 and a bit for each inexact time in place of the events.
    package var bytes: [UInt8] {
        let rows = table.entries.map { entry in
            var numbers = DailyActions.Row(entry.key).numbers
            numbers[5] = 1 + (entry.value.isFirstExact ? 0 : 1) + (entry.value.isLastExact ? 0 : 2)
            numbers[7] = entry.value.first
            numbers[8] = entry.value.last &- entry.value.first
            return numbers
        }
        var bytes: [UInt8] = []
        NumberColumns.append(rows, to: &bytes)
        return bytes
    }

    package init(bytes: Span<UInt8>, limits: NameCounts) throws(NumberColumnsError) {
        try DailyActions.forEachRow(in: bytes, limits) { key, sums in
            table.update(table.index(of: key, initial: Times())) { times in
                times = Times(
                    first: sums.first, last: sums.last, isFirstExact: (sums.events - 1) & 1 == 0,
                    isLastExact: (sums.events - 1) & 2 == 0)
            }
        }
    }
}
