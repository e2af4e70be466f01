import Events
import Foundation

/// What publishing knows of a partition before it reads any event.
struct FigureSource: Sendable {
    /// Blocks that are read at a time.
    private static let blocksAtATime = 64

    let names: EventNames
    let limits: EventNumberLimits
    /// All blocks, where they were asked for.
    let blocks: [Section: [BlockPlace]]

    /// Of a partition without events.
    init() {
        names = EventNames(sources: [], actions: [], deliveries: [])
        limits = EventNumberLimits(names)
        blocks = [:]
    }

    init(_ partition: Partition, withBlocks: Bool) throws(WarehouseError) {
        names = try partition.names()
        limits = EventNumberLimits(names)
        blocks = withBlocks ? try partition.blockPlaces() : [:]
    }

    /// The figures of the partition as if it were alone, from its events: for another time zone or another order of sources
    /// than it was loaded with.
    func figures(
        of partition: Partition, zone: TimeZone, sourceRanks: [UInt32], _ means: PublicationMeans
    ) throws(WarehouseError) -> PartitionFigures {
        var alone = AloneFigures(names, sourceRanks: sourceRanks)
        var days = DayClock(zone: zone)
        var section: Section?
        var events: [Event] = []
        try forEachBlock(of: partition, means) { _, blockSection, block throws(WarehouseError) in
            if section != blockSection { alone.endMessage(days: &days) }
            section = blockSection
            events.removeAll(keepingCapacity: true)
            try partition.decode(block, limits, appendingTo: &events)
            alone.add(events.span, days: &days)
        }
        alone.endMessage(days: &days)
        alone.settle()
        return PartitionFigures(daily: alone.daily, funnel: alone.funnel)
    }

    /// The times of the first and last event that counts of some rows; of a row without one, the first is after the last.
    func times(
        of rows: [PackedKey], in partition: Partition, notCounting: EventSet, zone: TimeZone,
        _ means: PublicationMeans
    ) throws(WarehouseError) -> PackedTable<EventTimes> {
        var times = RowTimes(rows, deliveries: limits.deliveries, zone: zone)
        var events: [TimedEvent] = []
        try forEachBlock(of: partition, means) { place, _, block throws(WarehouseError) in
            events.removeAll(keepingCapacity: true)
            do {
                try block.select(times.isWanted, into: &events)
            } catch {
                throw .corrupt(path: partition.path, detail: "a block of events: \(error)")
            }
            times.add(events, start: place.start, notCounting)
        }
        return times.table
    }

    private func forEachBlock(
        of partition: Partition, _ means: PublicationMeans,
        _ body: (BlockPlace, Section, EventBlock) throws(WarehouseError) -> Void
    ) throws(WarehouseError) {
        for section in blocks.keys.sorted() {
            var rest = (blocks[section] ?? [])[...]
            while !rest.isEmpty {
                if means.isStopped() { throw .stopped }
                let places = rest.prefix(FigureSource.blocksAtATime)
                rest = rest.dropFirst(places.count)
                for (place, block) in zip(places, try partition.blocks(places)) { try body(place, section, block) }
            }
        }
    }
}
