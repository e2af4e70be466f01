import Calendar
import Events

/// Searches a partition's events for the first and last ones of some rows, those of shared messages left out.
package struct UnsharedSearch: Sendable {
    private var table = PackedTable<UnsharedTimes.Times>()
    /// By delivery, whether it has one of the rows.
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

    /// Looks at events of a section.
    /// - Parameters:
    ///   - events: in the order of their ids, as are those of the calls before.
    ///   - shared: the ids of the section's shared messages, in order.
    ///   - next: the index among them to go on at.
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

    /// Takes note of what was found.
    package func store(in unshared: inout UnsharedTimes) {
        for entry in table.entries { unshared.set(entry.value, of: entry.key) }
    }
}
