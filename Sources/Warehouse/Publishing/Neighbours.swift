/// Which partitions' figures must be computed, and what the others know of them. Partitions are known by their places in
/// a list in the order of log dates.
///
/// Kept figures were computed beside certain neighbours. They are void once one with which they share a message has
/// changed or gone. A partition that they do not know yet only changes what the messages that it has come to.
struct Neighbourhood: Sendable {
    /// Two partitions within reach of one another, the earlier first.
    struct Pair: Hashable, Sendable {
        let first: Int
        let second: Int

        init(_ a: Int, _ b: Int) {
            (first, second) = a < b ? (a, b) : (b, a)
        }
    }

    private let summaries: [PartitionSummary]
    private let heads: [KeptFigures.Head?]
    private let windowDays: Int
    /// Partitions without kept figures that are still right.
    private(set) var fresh: Set<Int> = []
    /// Those of the fresh ones that kept figures do not know yet.
    private(set) var newcomers: Set<Int> = []

    /// `heads` are those of the partitions' kept figures, those that are about other versions left out.
    init(_ summaries: [PartitionSummary], heads: [KeptFigures.Head?], windowDays: Int) {
        self.summaries = summaries
        self.heads = heads
        self.windowDays = windowDays
        let versions = Dictionary(uniqueKeysWithValues: summaries.map { ($0.logDate, $0.version) })
        for (place, head) in heads.enumerated() {
            let isSound = head?.neighbours.allSatisfy { !$1.meets || versions[$0] == $1.version } ?? false
            if !isSound { fresh.insert(place) }
        }
        for place in summaries.indices where !fresh.contains(place) {
            // Two that do not know one another, none of them new: a crash came between the writing of the one's and the
            // other's.
            if reach(of: place).contains(where: { !fresh.contains($0) && isBehind(place, $0) }) { fresh.insert(place) }
        }
        findNewcomers()
    }

    /// The places of the partitions within reach of one, that one left out.
    func reach(of place: Int) -> [Int] {
        let logDate = Int(summaries[place].logDate)
        var (low, high) = (place, place)
        while low > 0, logDate - Int(summaries[low - 1].logDate) <= windowDays { low -= 1 }
        while high + 1 < summaries.count, Int(summaries[high + 1].logDate) - logDate <= windowDays { high += 1 }
        return (low...high).filter { $0 != place }
    }

    /// The fresh partitions, those that may share messages with them, and those that share messages with those, on which
    /// depends what a newcomer changes there; in order.
    var compared: [Int] {
        var compared = fresh
        for place in fresh {
            compared.formUnion(reach(of: place).filter { fresh.contains($0) || knows($0, place) != false })
        }
        for place in compared.subtracting(fresh) {
            compared.formUnion(reach(of: place).filter { knows(place, $0) == true })
        }
        return compared.sorted()
    }

    /// What is to be kept of a partition's neighbours, by their log dates. `meetings` are the pairs of which one was
    /// fresh that were found to share a message.
    func neighbours(of place: Int, meetings: Set<Pair>) -> [Int32: KeptFigures.Neighbour] {
        var neighbours: [Int32: KeptFigures.Neighbour] = [:]
        for other in reach(of: place) {
            let isCompared = fresh.contains(place) || fresh.contains(other)
            let meets = isCompared ? meetings.contains(Pair(place, other)) : knows(place, other) ?? false
            neighbours[summaries[other].logDate] = KeptFigures.Neighbour(
                version: summaries[other].version, meets: meets)
        }
        return neighbours
    }

    private mutating func findNewcomers() {
        while true {
            newcomers = fresh.filter { place in
                reach(of: place).contains { !fresh.contains($0) && knows($0, place) == nil }
            }
            // Figures that know a newcomer cannot stand beside some that do not.
            let inconsistent = newcomers.flatMap { place in
                reach(of: place).filter { !fresh.contains($0) && knows($0, place) == true }
            }
            if inconsistent.isEmpty { return }
            fresh.formUnion(inconsistent)
        }
    }

    /// Whether kept figures know that they share a message with another partition; nil if they do not know it.
    private func knows(_ place: Int, _ other: Int) -> Bool? {
        if let known = neighbour(other, in: place) { return known.meets }
        // The one that was computed later tells of strangers for both.
        return neighbour(place, in: other)?.meets == false ? false : nil
    }

    private func isBehind(_ place: Int, _ other: Int) -> Bool {
        neighbour(other, in: place) == nil && neighbour(place, in: other)?.meets != false
    }

    private func neighbour(_ other: Int, in place: Int) -> KeptFigures.Neighbour? {
        heads[place]?.neighbours[summaries[other].logDate].flatMap { $0.version == summaries[other].version ? $0 : nil }
    }
}
