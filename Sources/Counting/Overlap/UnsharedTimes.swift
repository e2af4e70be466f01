import Calendar
import Events

/// The times of the first and last event of unshared messages, for some rows of daily_actions. A message is unshared if
/// no partition that was compared with this one has it.
///
/// A row's times are searched when its first or last event does not count. They are cached until an event at one of
/// these times becomes shared. From then on the time is only a bound.
package struct UnsharedTimes: Sendable {
    struct Times: Sendable {
        /// Milliseconds since 1970; `Int64.max` if there is no such event.
        var first = Int64.max
        /// `Int64.min` if there is no such event.
        var last = Int64.min
        /// Whether there is such an event at this time. If not, the time is only a bound.
        var isFirstExact = true
        var isLastExact = true
    }

    private var table = PackedTable<Times>()

    package init() {}

    subscript(key: PackedKey) -> Times? { table[key] }

    mutating func set(_ times: Times, of key: PackedKey) {
        table.update(table.index(of: key, initial: Times())) { $0 = times }
    }

    /// Marks times as bounds where one of `events`, which are shared from now on, may be the first or last.
    package mutating func share(_ events: [Event], _ days: inout DayClock) {
        for event in events {
            guard let index = table.index(of: PackedKey(event, day: days.day(of: event.time))) else { continue }
            table.update(index) { times in
                if event.time <= times.first { times.isFirstExact = false }
                if event.time >= times.last { times.isLastExact = false }
            }
        }
    }

    /// Encoded like rows of daily_actions. Instead of events it stores 1, plus 1 if `first` is a bound, plus 2 if
    /// `last` is.
    package var bytes: [UInt8] {
        NumberColumns.bytes(
            of: table.entries.map { entry in
                var numbers = DailyActions.Row(entry.key).numbers
                numbers[5] = 1 + (entry.value.isFirstExact ? 0 : 1) + (entry.value.isLastExact ? 0 : 2)
                numbers[7] = entry.value.first
                numbers[8] = entry.value.last &- entry.value.first
                return numbers
            })
    }

    package init(bytes: Span<UInt8>, limits: NameCounts) throws(NumberColumnsError) {
        try DailyActions.forEachRow(in: bytes, limits) { key, sums in
            let times = Times(
                first: sums.first, last: sums.last, isFirstExact: (sums.events - 1) & 1 == 0,
                isLastExact: (sums.events - 1) & 2 == 0)
            set(times, of: key)
        }
    }
}
