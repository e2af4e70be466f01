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
    /// By delivery, whether it has one of the rows.
    let isWanted: [Bool]
    private var days: DayClock

    init(_ rows: [PackedKey], deliveries: Int, zone: TimeZone) {
        var isWanted = [Bool](repeating: false, count: deliveries)
        for row in rows {
            _ = table.place(of: row, initial: EventTimes())
            isWanted[Int(DailyActions.Row(row).delivery)] = true
        }
        self.isWanted = isWanted
        days = DayClock(zone: zone)
    }

    /// Looks at events of a block that begins at `start` in its partition, but for those that do not count.
    mutating func add(_ events: [TimedEvent], start: Int, _ notCounting: EventSet) {
        for event in events where !notCounting.contains(start &+ event.place) {
            let key = PackedKey(
                days.day(of: event.time), event.source, event.platform, event.delivery, event.action)
            guard let row = table.place(of: key) else { continue }
            table.update(row) { times in
                times.first = min(times.first, event.time)
                times.last = max(times.last, event.time)
            }
        }
    }
}
