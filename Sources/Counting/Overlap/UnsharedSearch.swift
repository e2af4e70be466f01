import Calendar
import Events

/// Searches the events of unshared messages for the first and last event of some rows.
package struct UnsharedSearch: Sendable {
    private var table = PackedTable<UnsharedTimes.Times>()
    /// By delivery: whether one of the rows has it.
    private var isWanted: [Bool]
    private var days: DayClock

    package init(_ rows: [PackedKey], deliveries: Int, days: DayClock) {
        isWanted = [Bool](repeating: false, count: deliveries)
        for row in rows {
            _ = table.index(of: row, initial: UnsharedTimes.Times())
            isWanted[Int(DailyActions.Row(row).delivery)] = true
        }
        self.days = days
    }

    /// Adds events of one section.
    /// - Parameters:
    ///   - events: sorted by id, also across calls.
    ///   - shared: the ids of the section's shared messages, sorted.
    ///   - next: an index in `shared`, 0 at the start of a section. The next call continues there.
    package mutating func add(_ events: Span<Event>, shared: [EventID], next: inout Int) {
        for index in events.indices where isWanted[Int(events[index].delivery)] {
            let event = events[index]
            while next < shared.count, shared[next] < event.id { next &+= 1 }
            if next < shared.count, shared[next] == event.id { continue }
            guard let row = table.index(of: PackedKey(event, day: days.day(of: event.time))) else { continue }
            table.update(row) { times in
                times.first = min(times.first, event.time)
                times.last = max(times.last, event.time)
            }
        }
    }

    /// Stores the times that were found.
    package func store(in unshared: inout UnsharedTimes) {
        for entry in table.entries { unshared.set(entry.value, of: entry.key) }
    }
}
