import Counting

/// Which partitions have been compared with each other, and which share a message. A partition is identified by its
/// index in the order of log dates.
struct Neighbours: Sendable {
    typealias Pair = SharedMessageFinder.Pair

    private let summaries: [PartitionSummary]
    /// By partition: its cached neighbours.
    private let cached: [[Int32: PartitionCache.Neighbour]]
    private let windowDays: Int
    /// The partitions that must be compared with all partitions within reach that they have not been compared with yet.
    private(set) var compared: Set<Int> = []
    /// The pairs that share a message, as the comparison found; nil before the comparison.
    private var found: Set<Pair>?

    init(_ summaries: [PartitionSummary], _ caches: [PartitionCache?], windowDays: Int) {
        self.summaries = summaries
        self.windowDays = windowDays
        cached = caches.map { $0?.head.neighbours ?? [:] }
        compared = fewestToCompare()
    }

    /// The other partitions within reach of one.
    func reach(of index: Int) -> [Int] {
        let logDate = Int(summaries[index].logDate)
        var (low, high) = (index, index)
        while low > 0, logDate - Int(summaries[low - 1].logDate) <= windowDays { low -= 1 }
        while high + 1 < summaries.count, Int(summaries[high + 1].logDate) - logDate <= windowDays { high += 1 }
        return (low...high).filter { $0 != index }
    }

    /// The compared partitions and the partitions that they are compared with, sorted.
    var involved: [Int] {
        let others = compared.flatMap { index in reach(of: index).filter { cachedShares(index, $0) == nil } }
        return compared.union(others).sorted()
    }

    /// Adds the result of the comparison.
    mutating func add(_ pairs: Set<Pair>) { found = pairs }

    /// The partitions within reach that share a message with one. All pairs must have been compared.
    func sharing(with index: Int) -> [Int] {
        reach(of: index).filter { cachedShares(index, $0) ?? found?.contains(Pair(index, $0)) ?? false }
    }

    /// The versions of these partitions, by log date. The figures of a partition depend on them and on the settings
    /// only.
    func versions(sharingWith index: Int) -> [Int32: String] {
        Dictionary(uniqueKeysWithValues: sharing(with: index).map { (summaries[$0].logDate, summaries[$0].version) })
    }

    /// Whether nothing was removed since `before`, and all additions have just been compared with the partition.
    /// `before` has the earlier result of `versions(sharingWith:)`.
    func hasOnlyAdditions(_ index: Int, since before: [Int32: String]) -> Bool {
        let now = versions(sharingWith: index)
        guard before.allSatisfy({ now[$0] == $1 }) else { return false }
        return sharing(with: index).allSatisfy {
            before[summaries[$0].logDate] != nil || cachedShares(index, $0) == nil
        }
    }

    /// Whether the current comparison compares the partition with every compared partition. False if one of them is out
    /// of reach.
    func isComparedWithAll(_ index: Int) -> Bool {
        compared.allSatisfy { $0 == index || areWithinReach($0, index) && cachedShares($0, index) == nil }
    }

    /// The neighbours to cache for a partition, by log date. That two partitions share nothing needs to be cached for
    /// only one of them.
    func facts(of index: Int) -> [Int32: PartitionCache.Neighbour] {
        var facts: [Int32: PartitionCache.Neighbour] = [:]
        for (other, summary) in summaries.enumerated() {
            if let neighbour = cached[index][summary.logDate], neighbour.version == summary.version {
                facts[summary.logDate] = neighbour
            } else if other != index, areWithinReach(index, other), cachedShares(index, other) == nil {
                let shares = found?.contains(Pair(index, other)) ?? false
                facts[summary.logDate] = PartitionCache.Neighbour(version: summary.version, shares: shares)
            }
        }
        return facts
    }

    private func areWithinReach(_ a: Int, _ b: Int) -> Bool {
        abs(Int(summaries[a].logDate) - Int(summaries[b].logDate)) <= windowDays
    }

    /// Whether two partitions share a message according to the caches; nil if they must be compared. If they share one,
    /// both caches must say so, because each has its own events of the shared messages.
    private func cachedShares(_ a: Int, _ b: Int) -> Bool? {
        let (first, second) = (cachedShares(of: a, with: b), cachedShares(of: b, with: a))
        if first == false || second == false { return false }
        return first == nil || second == nil ? nil : true
    }

    private func cachedShares(of index: Int, with other: Int) -> Bool? {
        let neighbour = cached[index][summaries[other].logDate]
        return neighbour?.version == summaries[other].version ? neighbour?.shares : nil
    }

    /// A small set of partitions that contains one of every two partitions that must be compared.
    private func fewestToCompare() -> Set<Int> {
        var left = summaries.indices.map { index in Set(reach(of: index).filter { cachedShares(index, $0) == nil }) }
        var chosen: Set<Int> = []
        func choose(_ index: Int) {
            chosen.insert(index)
            for other in left[index] { left[other].remove(index) }
            left[index] = []
        }
        for index in summaries.indices where cached[index].isEmpty && !left[index].isEmpty { choose(index) }
        while let index = left.indices.max(by: { left[$0].count < left[$1].count }), !left[index].isEmpty {
            choose(index)
        }
        return chosen
    }
}
