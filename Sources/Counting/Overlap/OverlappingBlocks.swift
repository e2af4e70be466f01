import Events

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
