import Events

/// The blocks of each partition whose ids may be another partition's too, by their first and last ids alone. Where ids
/// grow with the date that is few of them.
struct MeetingBlocks: Sendable {
    /// By partition; those of a section in order.
    private(set) var places: [[Section: [BlockPlace]]]

    init(_ all: [[Section: [BlockPlace]]]) {
        places = Array(repeating: [:], count: all.count)
        for section in Set(all.flatMap(\.keys)) {
            let blocks = all.indices.flatMap { partition in
                (all[partition][section] ?? []).map { (partition: partition, place: $0) }
            }.sorted { $0.place.first < $1.place.first }
            let meets = MeetingBlocks.meets(blocks)
            for (block, meets) in zip(blocks, meets) where meets {
                places[block.partition][section, default: []].append(block.place)
            }
        }
    }

    /// For each of the blocks, sorted by their first ids, whether another partition's block overlaps it.
    private static func meets(_ blocks: [(partition: Int, place: BlockPlace)]) -> [Bool] {
        var meets = [Bool](repeating: false, count: blocks.count)
        // Those that begin before: the furthest end of all, and the furthest of another partition than that one's.
        var furthest: (partition: Int, last: EventID)?
        var other: EventID?
        for (index, block) in blocks.enumerated() {
            let end = furthest.flatMap { $0.partition == block.partition ? other : $0.last }
            if let end, !(end < block.place.first) { meets[index] = true }
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
            if let start, !(block.place.last < start) { meets[index] = true }
            if let next, next.partition != block.partition { after = next.first }
            next = (block.partition, block.place.first)
        }
        return meets
    }
}
