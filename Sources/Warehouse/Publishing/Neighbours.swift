import Counting

/// What partitions know of one another: which have been compared, and which share a message. Partitions are known by their
/// indices in the order of log dates.
struct Neighbours: Sendable {
    typealias Pair = SharedMessageFinder.Pair

    private let summaries: [PartitionSummary]
    /// By partition: the neighbours in its cache.
    private let cached: [[Int32: PartitionCache.Neighbour]]
    private let windowDays: Int
    /// Partitions that must be compared with those within reach they have not been compared with.
    private(set) var compared: Set<Int> = []
    /// The pairs that a comparison found to share a message; nil before it.
    private var found: Set<Pair>?

    init(_ summaries: [PartitionSummary], _ caches: [PartitionCache?], windowDays: Int) {
        self.summaries = summaries
        self.windowDays = windowDays
        cached = caches.map { $0?.head.neighbours ?? [:] }
        compared = fewestToCompare()
    }

    /// The partitions within reach of one, that one left out.
    func reach(of index: Int) -> [Int] {
        let logDate = Int(summaries[index].logDate)
        var (low, high) = (index, index)
        while low > 0, logDate - Int(summaries[low - 1].logDate) <= windowDays { low -= 1 }
        while high + 1 < summaries.count, Int(summaries[high + 1].logDate) - logDate <= windowDays { high += 1 }
        return (low...high).filter { $0 != index }
    }

    /// The compared partitions and those that they are compared with, in order.
    var involved: [Int] {
        let others = compared.flatMap { index in reach(of: index).filter { cachedShares(index, $0) == nil } }
        return compared.union(others).sorted()
    }

    /// Takes note of what the comparison found.
    mutating func add(_ pairs: Set<Pair>) { found = pairs }

    /// The partitions within reach that share a message with one. All must have been compared.
    func sharing(with index: Int) -> [Int] {
        reach(of: index).filter { cachedShares(index, $0) ?? found?.contains(Pair(index, $0)) ?? false }
    }

    /// Their versions, by log date: all that the figures of a partition depend on, but for the settings.
    func versions(sharingWith index: Int) -> [Int32: String] {
        Dictionary(uniqueKeysWithValues: sharing(with: index).map { (summaries[$0].logDate, summaries[$0].version) })
    }

    /// Whether all that is new among the partitions that share a message with one has just been compared with it, and
    /// nothing is gone. `before` are the versions of those that shared one before.
    func hasOnlyAdditions(_ index: Int, since before: [Int32: String]) -> Bool {
        let now = versions(sharingWith: index)
        guard before.allSatisfy({ now[$0] == $1 }) else { return false }
        return sharing(with: index).allSatisfy {
            before[summaries[$0].logDate] != nil || cachedShares(index, $0) == nil
        }
    }

    /// Whether this comparison has compared one with all compared partitions, those that are not within its reach included.
    func isComparedWithAll(_ index: Int) -> Bool {
        compared.allSatisfy { $0 == index || areWithinReach($0, index) && cachedShares($0, index) == nil }
    }

    /// What is to be cached of a partition's neighbours, by their log dates. That two share nothing need be cached for one
    /// of them only.
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

    /// Whether two partitions share a message by what is cached; nil if they must be compared. Where they do, both must know
    /// it, since each has its own events of the messages.
    private func cachedShares(_ a: Int, _ b: Int) -> Bool? {
        let (first, second) = (cachedShares(of: a, with: b), cachedShares(of: b, with: a))
        if first == false || second == false { return false }
        return first == nil || second == nil ? nil : true
    }

    private func cachedShares(of index: Int, with other: Int) -> Bool? {
        let neighbour = cached[index][summaries[other].logDate]
        return neighbour?.version == summaries[other].version ? neighbour?.shares : nil
    }

    /// Few partitions such that of any two that must be compared one is among them.
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
