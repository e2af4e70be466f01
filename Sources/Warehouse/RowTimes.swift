import Events
import Foundation

/// The first and last time of some events; the wrong way round without any.
struct EventTimes: Sendable {
    var first = Int64.max
    var last = Int64.min
}

/// Finds the first and last event of some rows of daily_actions.
struct RowTimes {
    private(set) var table = PackedTable<EventTimes>()
    private var days: DayClock

    init(_ rows: [PackedKey], zone: TimeZone) {
        for row in rows { _ = table.place(of: row, initial: EventTimes()) }
        days = DayClock(zone: zone)
    }

    /// Looks at events, the first of which is at `start` in its partition, but for those that do not count.
    mutating func add(_ events: Span<Event>, start: Int, _ notCounting: EventSet) {
        for index in events.indices where !notCounting.contains(start &+ index) {
            let event = events[index]
            guard let row = table.place(of: PackedKey(event, day: days.day(of: event.time))) else { continue }
            table.update(row) { times in
                times.first = min(times.first, event.time)
                times.last = max(times.last, event.time)
            }
        }
    }
}
