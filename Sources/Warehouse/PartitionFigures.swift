import Events
import Foundation

/// A partition's part of the output DB's figures, in the partition's own numbers.
struct PartitionFigures: Sendable {
    private(set) var daily: DailyActions
    private(set) var funnel: DailyFunnel

    init(daily: DailyActions, funnel: DailyFunnel) {
        self.daily = daily
        self.funnel = funnel
    }

    /// Applies what other partitions change to the figures of the partition alone. Answers the rows of which the first or
    /// the last event does not count, so that another one is.
    mutating func apply(_ corrections: Corrections) -> [PackedKey] {
        var doubtful: [PackedKey] = []
        for entry in corrections.notCounting.entries {
            let change = entry.value
            daily.correct(entry.key) { row in
                row.events &-= change.events
                row.duplicates &+= change.events
                if change.first <= row.first || change.last >= row.last { doubtful.append(entry.key) }
            }
        }
        funnel.merge(corrections.funnel)
        return doubtful
    }

    /// Finds the first and last event that counts of some rows, by reading the partition's events.
    mutating func settle(
        _ rows: [PackedKey], of partition: Partition, _ source: FigureSource, _ notCounting: EventSet,
        zone: TimeZone, _ means: PublicationMeans
    ) throws(WarehouseError) {
        var found = PackedTable<(first: Int64, last: Int64)>()
        for row in rows { _ = found.place(of: row, initial: (.max, .min)) }
        var days = DayClock(zone: zone)
        try source.forEachBlock(of: partition, means) { block, _, events in
            for index in events.indices where !notCounting.contains(block.start &+ index) {
                let event = events[index]
                guard let row = found.place(of: PackedKey(event, day: days.day(of: event.time))) else { continue }
                found.update(row) { times in
                    times.first = min(times.first, event.time)
                    times.last = max(times.last, event.time)
                }
            }
        }
        for entry in found.entries {
            daily.correct(entry.key) { row in
                row.first = entry.value.first
                row.last = entry.value.last
            }
        }
    }
}
