import Calendar
import Events
import Foundation

/// The first and last time of some events; the wrong way round without any.
struct EventTimes: Sendable {
    var first = Int64.max
    var last = Int64.min
}

/// Finds the first and last event that counts of some rows of daily_actions; of a row without one, the first is after the
/// last.
struct RowTimes {
    private(set) var table = PackedTable<EventTimes>()
    /// By delivery, whether it has one of the rows.
    let isWanted: [Bool]
    private var days: DayClock

    init(_ rows: [PackedKey], deliveries: Int, days: DayClock) {
        var isWanted = [Bool](repeating: false, count: deliveries)
        for row in rows {
            _ = table.place(of: row, initial: EventTimes())
            isWanted[Int(DailyActions.Row(row).delivery)] = true
        }
        self.isWanted = isWanted
        self.days = days
    }

    /// Looks at the events of some blocks, which follow one another in a section, but for those that do not count.
    mutating func add(
        _ blocks: ArraySlice<BlockPlace>, of partition: Partition, _ notCounting: EventSet, _ means: PublicationMeans
    ) throws(WarehouseError) {
        var events: [TimedEvent] = []
        try partition.forEachBlock(of: blocks, means) { place, block throws(WarehouseError) in
            events.removeAll(keepingCapacity: true)
            do {
                try block.select(isWanted, into: &events)
            } catch {
                throw .corrupt(path: partition.path, detail: "a block of events: \(error)")
            }
            add(events, start: place.start, notCounting)
        }
    }

    /// Takes over the times of the same rows, found among other events.
    mutating func merge(_ other: RowTimes) {
        for entry in other.table.entries {
            table.update(table.place(of: entry.key, initial: EventTimes())) { times in
                times.first = min(times.first, entry.value.first)
                times.last = max(times.last, entry.value.last)
            }
        }
    }

    private mutating func add(_ events: [TimedEvent], start: Int, _ notCounting: EventSet) {
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
