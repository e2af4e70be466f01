import Counting
import Events
import Partitions

/// The partitions, settings and resources of a publishing.
package struct PublicationBasis: Sendable {
    /// The most memory per event while ids are compared, in bytes: for its block, its id and its bits.
    private static let bytesPerEvent = 48
    /// The best number of events per range. Such a range fits into the second-level CPU cache. Larger ranges are
    /// slower, and smaller ones cut more blocks.
    private static let goodEvents = 1 << 21

    let partitions: PartitionSet
    package let settings: PublicationSettings
    package let resources: PublishingResources

    package init(partitions: PartitionSet, settings: PublicationSettings, resources: PublishingResources) {
        (self.partitions, self.settings, self.resources) = (partitions, settings, resources)
    }

    func areWithinReach(_ a: Int, _ b: Int) -> Bool {
        abs(Int(partitions.summaries[a].logDate) - Int(partitions.summaries[b].logDate)) <= settings.windowDays
    }

    /// Ranges of ids that can be processed in parallel.
    func ranges(_ entries: [[Section: [BlockEntry]]]) -> [SectionRange] {
        let events = entries.lazy.flatMap(\.values).joined().reduce(0) { $0 + $1.events }
        let workers = resources.workers.count
        let fitting = resources.memory / workers / PublicationBasis.bytesPerEvent
        let even = workers == 1 ? events : events / (workers * 4)
        return SectionRange.cut(
            entries, events: max(min(fitting, even, PublicationBasis.goodEvents), resources.leastPiece))
    }
}

/// The result of a comparison of partitions: the events of the messages that they share.
struct Comparison: Sendable {
    /// By partition: the events of its shared messages, sorted by id.
    private(set) var blocks: [Int: [Section: [EventBlock]]] = [:]

    /// - Parameter isCompared: of each partition involved; two that share a message count if one of them is.
    init(
        _ basis: PublicationBasis, _ involved: [Int], isCompared: [Bool]
    ) throws(WarehouseError) {
        assert(involved.count == isCompared.count && zip(involved, involved.dropFirst()).allSatisfy { $0 < $1 })
        let (partitions, resources) = (basis.partitions, basis.resources)
        let all = try resources.workers.map(involved.count) { number throws(WarehouseError) in
            try partitions.partition(involved[number]).blockEntries()
        }
        // The first and last ids of blocks are compared first. If ids grow with the date, few blocks are left then.
        let entries = all.indices.map { part -> [Section: [BlockEntry]] in
            let others = all.indices.filter { other in
                other != part && (isCompared[part] || isCompared[other])
                    && basis.areWithinReach(involved[part], involved[other])
            }
            var found = all[part]
            for (section, blocks) in all[part] {
                let lists = others.compactMap { all[$0][section] }
                found[section] = blocks.filter { block in lists.contains { $0.overlap(block) } }
            }
            return found
        }
        let ranges = basis.ranges(entries)
        let found = try resources.workers.map(ranges.count) { number throws(WarehouseError) in
            let range = ranges[number]
            var parts: [SharedMessageFinder.Part] = []
            for (part, index) in involved.enumerated() {
                try resources.check()
                guard let entries = entries[part][range.section]?.holding(range), !entries.isEmpty else { continue }
                parts.append(
                    SharedMessageFinder.Part(
                        index: part, logDate: partitions.summaries[index].logDate, isCompared: isCompared[part],
                        blocks: try partitions.partition(index).blocks(entries)))
            }
            let finder: SharedMessageFinder
            do throws(SharedMessageFinder.DamagedBlock) {
                finder = try SharedMessageFinder(range, parts, windowDays: basis.settings.windowDays)
            } catch {
                throw .damagedBlock(path: partitions.path(involved[error.index]), error.error)
            }
            for (part, events) in finder.events {
                let partition = try partitions.partition(involved[part])
                guard try partition.names().hold(events.span) else {
                    throw .contradictingBlock(path: partition.path)
                }
            }
            return finder.events.mapValues(EventBlock.blocks)
        }
        // The ranges are sorted, so the blocks are sorted too.
        for (range, found) in zip(ranges, found) {
            for (part, list) in found {
                blocks[involved[part], default: [:]][range.section, default: []] += list
            }
        }
        assert(blocks.values.allSatisfy { $0.values.allSatisfy(\.areSorted) })
    }
}
