import Events

/// The blocks of each partition whose ids may be another partition's too, one of the two being a fresh one, by their first
/// and last ids alone. Where ids grow with the date that is few of them.
struct MeetingBlocks: Sendable {
    /// By partition; those of a section in order.
    private(set) var places: [[Section: [BlockPlace]]]

    private struct Block {
        let partition: Int
        let place: BlockPlace
    }

    /// `isFresh` is by partition, as `all` is.
    init(_ all: [[Section: [BlockPlace]]], isFresh: [Bool]) {
        places = Array(repeating: [:], count: all.count)
        for section in Set(all.flatMap(\.keys)) {
            let blocks = all.indices.flatMap { partition in
                (all[partition][section] ?? []).map { Block(partition: partition, place: $0) }
            }.sorted { $0.place.first < $1.place.first }
            // A fresh partition's block may meet any other partition's, another one only that of a fresh one.
            let byAny = MeetingBlocks.overlapped(blocks) { _ in true }
            let byFresh = MeetingBlocks.overlapped(blocks) { isFresh[$0.partition] }
            for (index, block) in blocks.enumerated()
            where isFresh[block.partition] ? byAny[index] : byFresh[index] {
                places[block.partition][section, default: []].append(block.place)
            }
        }
    }

    /// For each of the blocks, sorted by their first ids, whether a block of another partition that `counts` overlaps it.
    private static func overlapped(_ blocks: [Block], by counts: (Block) -> Bool) -> [Bool] {
        var overlapped = [Bool](repeating: false, count: blocks.count)
        // Those that begin before: the furthest end of all, and the furthest of another partition than that one's.
        var furthest: (partition: Int, last: EventID)?
        var other: EventID?
        for (index, block) in blocks.enumerated() {
            let end = furthest.flatMap { $0.partition == block.partition ? other : $0.last }
            if let end, !(end < block.place.first) { overlapped[index] = true }
            guard counts(block) else { continue }
            guard let known = furthest else {
                furthest = (block.partition, block.place.last)
                continue
            }
            if known.partition == block.partition {
                if known.last < block.place.last { furthest = (block.partition, block.place.last) }
            } else if known.last < block.place.last {
                other = known.last
                furthest = (block.partition, block.place.last)
            } else if other.map({ $0 < block.place.last }) ?? true {
                other = block.place.last
            }
        }
        // Those that begin after: the nearest of another partition.
        var next: (partition: Int, first: EventID)?
        var after: EventID?
        for (index, block) in blocks.enumerated().reversed() {
            let start = next.flatMap { $0.partition == block.partition ? after : $0.first }
            if let start, !(block.place.last < start) { overlapped[index] = true }
            guard counts(block) else { continue }
            if let next, next.partition != block.partition { after = next.first }
            next = (block.partition, block.place.first)
        }
        return overlapped
    }
}
