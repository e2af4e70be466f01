import Calendar
import Events
import Foundation

/// What publishing knows of a partition before it reads any event.
struct FigureSource: Sendable {
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
        try forEachBlock(of: partition, means) { blockSection, block throws(WarehouseError) in
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

    /// All blocks, in at most `count` runs of blocks that follow one another in their section, about equally long each.
    func runs(_ count: Int) -> [ArraySlice<BlockPlace>] {
        let total = blocks.values.reduce(0) { $0 + $1.count }
        let length = max(1, (total + count - 1) / count)
        return blocks.keys.sorted().flatMap { section in
            let places = blocks[section] ?? []
            return stride(from: 0, to: places.count, by: length).map { places[$0..<min($0 + length, places.count)] }
        }
    }

    private func forEachBlock(
        of partition: Partition, _ means: PublicationMeans,
        _ body: (Section, EventBlock) throws(WarehouseError) -> Void
    ) throws(WarehouseError) {
        for section in blocks.keys.sorted() {
            try partition.forEachBlock(of: (blocks[section] ?? [])[...], means) { _, block throws(WarehouseError) in
                try body(section, block)
            }
        }
    }
}

extension Partition {
    /// Blocks that are read at a time.
    private static let blocksAtATime = 64

    /// Reads blocks that follow one another in a section.
    func forEachBlock(
        of places: ArraySlice<BlockPlace>, _ means: PublicationMeans,
        _ body: (BlockPlace, EventBlock) throws(WarehouseError) -> Void
    ) throws(WarehouseError) {
        var rest = places
        while !rest.isEmpty {
            if means.isStopped() { throw .stopped }
            let places = rest.prefix(Partition.blocksAtATime)
            rest = rest.dropFirst(places.count)
            for (place, block) in zip(places, try blocks(places)) { try body(place, block) }
        }
    }
}
