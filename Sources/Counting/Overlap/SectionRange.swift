import Events

/// A range of ids in a section. All events of a message are in one range, so ranges can be processed in parallel.
package struct SectionRange: Sendable {
    package let section: Section
    /// The lowest id; nil for no bound.
    package let lower: EventID?
    /// The id after the highest one; nil for no bound.
    package let upper: EventID?

    package init(_ section: Section, from lower: EventID? = nil, to upper: EventID? = nil) {
        if let lower, let upper { assert(lower < upper) }
        self.section = section
        self.lower = lower
        self.upper = upper
    }

    package func holds(_ id: EventID) -> Bool {
        lower.map { id >= $0 } ?? true && upper.map { id < $0 } ?? true
    }

    /// The events in the range. They must be sorted by id.
    package func part(of events: [Event]) -> [Event] {
        assert(events.span.isSorted)
        if lower == nil, upper == nil { return events }
        let start = lower.map { lower in firstIndex(in: events.indices) { events[$0].id < lower } } ?? 0
        let end = upper.map { upper in firstIndex(in: start..<events.count) { events[$0].id < upper } }
        return Array(events[start..<(end ?? events.count)])
    }

    /// Cuts all sections into ranges of about `events` events, counted over all partitions.
    package static func cut(_ entries: [[Section: [BlockEntry]]], events: Int) -> [SectionRange] {
        var ranges: [SectionRange] = []
        for section in Set(entries.flatMap(\.keys)).sorted() {
            let blocks = entries.flatMap { $0[section] ?? [] }.sorted { $0.first < $1.first }
            guard let first = blocks.first?.first else { continue }
            var lower: EventID?
            var filled = 0
            for block in blocks {
                if filled >= events, lower ?? first < block.first {
                    ranges.append(SectionRange(section, from: lower, to: block.first))
                    lower = block.first
                    filled = 0
                }
                filled += block.events
            }
            ranges.append(SectionRange(section, from: lower))
        }
        return ranges
    }
}

extension [BlockEntry] {
    /// The entries of blocks that may contain ids of a range. The entries must be sorted.
    package func holding(_ range: SectionRange) -> ArraySlice<BlockEntry> {
        let start = range.lower.map { lower in Events.firstIndex(in: indices) { self[$0].last < lower } } ?? 0
        let end = range.upper.map { upper in Events.firstIndex(in: start..<count) { self[$0].first < upper } }
        return self[start..<(end ?? count)]
    }
}

/// An entry in the index of a section's blocks.
package struct BlockEntry: Sendable {
    /// The block's number in its partition. Consecutive within a section of a partition file.
    package let number: Int64
    package let first: EventID
    package let last: EventID
    package let events: Int

    package init(number: Int64, first: EventID, last: EventID, events: Int) {
        self.number = number
        self.first = first
        self.last = last
        self.events = events
    }
}

extension [BlockEntry] {
    /// The entries of blocks that may contain `id`. The entries must be sorted.
    package func holding(_ id: EventID) -> ArraySlice<BlockEntry> {
        let start = Events.firstIndex(in: indices) { self[$0].last < id }
        return self[start..<Events.firstIndex(in: start..<count) { !(id < self[$0].first) }]
    }
}

/// The blocks that may share a message with another partition. Only their first and last ids are compared, and one of
/// the two partitions must be a compared one. If ids grow with the date, there are few such blocks.
package struct OverlappingBlocks: Sendable {
    /// By partition and section, sorted.
    package private(set) var entries: [[Section: [BlockEntry]]]

    private struct Block {
        let partition: Int
        let entry: BlockEntry
    }

    /// - Parameters:
    ///   - all: the blocks of each partition, sorted within each section.
    ///   - isCompared: by partition, whether it is compared with all others.
    package init(_ all: [[Section: [BlockEntry]]], isCompared: [Bool]) {
        assert(all.count == isCompared.count)
        entries = Array(repeating: [:], count: all.count)
        for section in Set(all.flatMap(\.keys)) {
            let blocks = all.indices.flatMap { partition in
                (all[partition][section] ?? []).map { Block(partition: partition, entry: $0) }
            }.sorted { $0.entry.first < $1.entry.first }
            let byAny = OverlappingBlocks.overlapped(blocks) { _ in true }
            let byCompared = OverlappingBlocks.overlapped(blocks) { isCompared[$0.partition] }
            for (index, block) in blocks.enumerated()
            where isCompared[block.partition] ? byAny[index] : byCompared[index] {
                entries[block.partition][section, default: []].append(block.entry)
            }
        }
    }

    /// For each block, whether it overlaps a block of another partition for which `counts` is true. `blocks` must be
    /// sorted by first id.
    private static func overlapped(_ blocks: [Block], by counts: (Block) -> Bool) -> [Bool] {
        assert(zip(blocks, blocks.dropFirst()).allSatisfy { $0.entry.first <= $1.entry.first })
        var overlapped = [Bool](repeating: false, count: blocks.count)
        // Of the blocks that begin earlier: the highest last id, and the highest last id among the other partitions.
        var furthest: (partition: Int, last: EventID)?
        var other: EventID?
        for (index, block) in blocks.enumerated() {
            let end = furthest.flatMap { $0.partition == block.partition ? other : $0.last }
            if let end, !(end < block.entry.first) { overlapped[index] = true }
            guard counts(block) else { continue }
            guard let known = furthest else {
                furthest = (block.partition, block.entry.last)
                continue
            }
            if known.partition == block.partition {
                if known.last < block.entry.last { furthest = (block.partition, block.entry.last) }
            } else if known.last < block.entry.last {
                other = known.last
                furthest = (block.partition, block.entry.last)
            } else if other.map({ $0 < block.entry.last }) ?? true {
                other = block.entry.last
            }
        }
        // Of the blocks that begin later: the nearest one, and the nearest one of another partition.
        var next: (partition: Int, first: EventID)?
        var after: EventID?
        for (index, block) in blocks.enumerated().reversed() {
            let start = next.flatMap { $0.partition == block.partition ? after : $0.first }
            if let start, !(block.entry.last < start) { overlapped[index] = true }
            guard counts(block) else { continue }
            if let next, next.partition != block.partition { after = next.first }
            next = (block.partition, block.entry.first)
        }
        return overlapped
    }
}
