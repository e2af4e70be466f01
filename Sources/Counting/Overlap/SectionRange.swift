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

    /// Whether any of the blocks may share a message with another block. The entries must be sorted.
    package func overlap(_ other: BlockEntry) -> Bool {
        let start = Events.firstIndex(in: indices) { self[$0].last < other.first }
        return start < count && self[start].first <= other.last
    }
}
