/// Which partitions may share messages with which: what was found out before, and what is yet to be found out. Partitions
/// are known by their places in a list in the order of log dates.
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
    private let windowDays: Int
    /// Whether a pair meets; nothing for pairs of which that is not known.
    private var known: [Pair: Bool] = [:]
    /// Partitions whose figures must be computed anew.
    private(set) var outdated: Set<Int> = []

    /// `kept` has the heads of the partitions' kept figures, those that are about other versions left out.
    init(_ summaries: [PartitionSummary], kept: [KeptFigures.Head?], windowDays: Int) {
        self.summaries = summaries
        self.windowDays = windowDays
        let places = Dictionary(uniqueKeysWithValues: summaries.enumerated().map { ($1.logDate, $0) })
        for (place, head) in kept.enumerated() {
            guard let head else {
                outdated.insert(place)
                continue
            }
            for (logDate, neighbour) in head.neighbours {
                if let other = places[logDate], summaries[other].version == neighbour.version {
                    known[Pair(place, other)] = neighbour.meets
                } else if neighbour.meets {
                    // Something that it was compared with has changed or gone.
                    outdated.insert(place)
                }
            }
        }
        for (place, head) in kept.enumerated() {
            // The other side may know better: it was computed later, and a crash came between the two.
            let isBehind = reach(of: place).contains { other in
                known[Pair(place, other)] == true
                    && head?.neighbours[summaries[other].logDate]
                        != KeptFigures.Neighbour(version: summaries[other].version, meets: true)
            }
            if isBehind { outdated.insert(place) }
        }
    }

    /// The places of the partitions within reach of one, that one left out.
    func reach(of place: Int) -> [Int] {
        let logDate = Int(summaries[place].logDate)
        var (low, high) = (place, place)
        while low > 0, logDate - Int(summaries[low - 1].logDate) <= windowDays { low -= 1 }
        while high + 1 < summaries.count, Int(summaries[high + 1].logDate) - logDate <= windowDays { high += 1 }
        return (low...high).filter { $0 != place }
    }

    /// Pairs of which it must be known whether they meet, to know whether the kept figures of one are still right.
    var openPairs: [Pair] {
        var pairs: Set<Pair> = []
        for place in summaries.indices where !outdated.contains(place) {
            for other in reach(of: place) where known[Pair(place, other)] == nil { pairs.insert(Pair(place, other)) }
        }
        return pairs.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
    }

    /// Takes note of whether a pair of partitions meets. If so, both have figures to be computed anew.
    mutating func note(_ pair: Pair, meets: Bool) {
        known[pair] = meets
        if meets { outdated.formUnion([pair.first, pair.second]) }
    }

    /// Everything is to be computed anew.
    mutating func forget() {
        known = [:]
        outdated = Set(summaries.indices)
    }

    /// The outdated partitions and those that may share messages with them, in order.
    var wanted: [Int] {
        var wanted = outdated
        for place in outdated {
            wanted.formUnion(reach(of: place).filter { known[Pair(place, $0)] ?? true })
        }
        return wanted.sorted()
    }

    /// What is known of a partition's neighbours by their log dates, once the outdated ones have been compared with all
    /// that were wanted; `meetings` are the pairs that were found to share a message.
    func neighbours(of place: Int, meetings: Set<Pair>) -> [Int32: KeptFigures.Neighbour] {
        var neighbours: [Int32: KeptFigures.Neighbour] = [:]
        for other in reach(of: place) {
            let pair = Pair(place, other)
            neighbours[summaries[other].logDate] = KeptFigures.Neighbour(
                version: summaries[other].version, meets: meetings.contains(pair))
        }
        return neighbours
    }
}
