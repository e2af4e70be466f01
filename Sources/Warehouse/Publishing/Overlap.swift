import Counting
import Events

/// The shared messages of stale partitions, resolved among all partitions that share them.
///
/// A message is resolved again only where that may come to something else: its cached resolution serves as long as no
/// partition has been added that has the message, and none that shares messages is gone.
struct Overlap: Sendable {
    private let members: [Member]
    private let globalNames: GlobalNames
    private let ranges: [SectionRange]
    /// By range of ids and by member: of all its shared events there, or if the others are resolved, of those that a comparison
    /// found. Empty for members that are not stale.
    private let resolutions: [[[Resolution]]]

    init(
        _ computation: FigureComputation, stale: [Int], _ caches: [PartitionCache?], _ comparison: Comparison,
        _ neighbours: Neighbours
    ) throws(WarehouseError) {
        let (partitions, means) = (computation.partitions, computation.means)
        let indices = Set(stale).union(stale.flatMap(neighbours.sharing)).sorted()
        let staleSet = Set(stale)
        let members = try means.workers.map(indices.count) { number throws(WarehouseError) in
            let index = indices[number]
            let head = caches[index]?.head
            let isResolved =
                head?.settings == computation.settings.version
                && neighbours.hasOnlyAdditions(index, since: head?.sharing ?? [:])
            return try Member(
                index, try partitions.partition(index).names(), isStale: staleSet.contains(index),
                isResolved: isResolved, caches[index], new: comparison.blocks[index] ?? [:])
        }
        // Where only messages of compared partitions are resolved, a comparison has found all events of them that those have
        // that were compared with all of these.
        let resolvesAll = members.contains { $0.isStale && !$0.isResolved && caches[$0.index] != nil }
        let readsCache = indices.map { index in resolvesAll || !neighbours.isComparedWithAll(index) }
        let names = GlobalNames(members.map(\.names), pipelineSources: computation.settings.sourceNames)
        let resolver = MessageResolver(
            logDates: indices.map { partitions.summaries[$0].logDate }, windowDays: computation.settings.windowDays,
            names: names)
        let ranges = computation.ranges(members.map(\.entries))
        resolutions = try means.workers.map(ranges.count) { number throws(WarehouseError) in
            try means.check()
            return try Overlap.resolve(ranges[number], members, readsCache, resolver)
        }
        self.ranges = ranges
        self.members = members
        globalNames = names
    }

    private static func resolve(
        _ range: SectionRange, _ members: [Member], _ readsCache: [Bool], _ resolver: MessageResolver
    ) throws(WarehouseError) -> [[Resolution]] {
        var (lists, unresolved): ([[Event]], [[Event]]) = ([], [])
        var compared: [[Event]] = []
        for (member, readsCache) in zip(members, readsCache) {
            let found = try member.comparedEvents(in: range)
            compared.append(found)
            var list = found
            if readsCache {
                var cached = try member.cachedEvents(in: range)
                _ = cached.merge(found)
                list = cached.events
            }
            lists.append(list)
            if member.isStale { unresolved.append(member.isResolved ? found : list) }
        }
        let ids = SharedEvents.ids(unresolved)
        let wanted = lists.map { SharedEvents.filter($0, ids) }
        var resolver = resolver
        let resolved = resolver.resolve(wanted)
        return members.indices.map { index in
            guard members[index].isStale else { return [] }
            let list = members[index].isResolved ? compared[index] : lists[index]
            var resolutions = ResolvedEvents(list, list.map { _ in .unknown })
            resolutions.update(from: wanted[index], resolved[index])
            return resolutions.resolutions
        }
    }

    private func number(of index: Int) -> Int { members.firstIndex { $0.index == index } ?? 0 }

    func names(of index: Int) -> EventNames { members[number(of: index)].names }

    /// By the partition's own number of a source: the source's position in the pipeline.
    func sourceRanks(of index: Int) -> [UInt16] {
        globalNames.sources.all(of: number(of: index)).map { UInt16(truncatingIfNeeded: $0) }
    }

    /// The events of all shared messages of a stale partition, and those of them that were not shared before.
    func sharedEvents(
        of index: Int
    ) throws(WarehouseError) -> (events: [Section: ResolvedEvents], new: [Event]) {
        let number = number(of: index)
        let member = members[number]
        var events: [Section: ResolvedEvents] = [:]
        var new: [Event] = []
        for section in Set(member.entries.keys) {
            let found = try member.comparedEvents(in: SectionRange(section))
            let resolutions = zip(ranges, self.resolutions).flatMap { $0.section == section ? $1[number] : [] }
            var list = try member.cachedEvents(in: SectionRange(section))
            new += list.merge(found)
            if member.isResolved {
                list.update(from: found, resolutions)
            } else {
                list = ResolvedEvents(list.events, resolutions)
            }
            events[section] = list
        }
        return (events, new)
    }
}

/// A partition whose shared messages are read.
private struct Member: Sendable {
    let index: Int
    let names: EventNames
    let isStale: Bool
    /// Whether the cached resolutions hold for all messages but those that a comparison found.
    let isResolved: Bool
    private let limits: NameCounts
    private let cache: PartitionCache?
    private let cached: SharedBlocks
    private let resolutions: [Resolution]
    /// What a comparison found; some of it may be cached already.
    private let new: [Section: [EventBlock]]

    init(
        _ index: Int, _ names: EventNames, isStale: Bool, isResolved: Bool, _ cache: PartitionCache?,
        new: [Section: [EventBlock]]
    ) throws(WarehouseError) {
        self.index = index
        self.names = names
        self.isStale = isStale
        self.isResolved = isResolved
        self.cache = cache
        self.new = new
        limits = NameCounts(names)
        cached = try cache?.sharedBlocks() ?? SharedBlocks(start: 0)
        resolutions = try cache?.resolutions(cached) ?? []
    }

    /// The index of all blocks, cached and new.
    var entries: [Section: [BlockEntry]] {
        let newEntries = new.mapValues { blocks in
            blocks.map { BlockEntry(number: -1, first: $0.first, last: $0.last, events: $0.count) }
        }
        return cached.entries.merging(newEntries) { $0 + $1 }
    }

    /// The cached events of shared messages in a range.
    func cachedEvents(in range: SectionRange) throws(WarehouseError) -> ResolvedEvents {
        let entries = cached.entries[range.section]?.holding(range) ?? []
        guard let cache, !entries.isEmpty else { return ResolvedEvents([], []) }
        let events = try cache.events(entries, of: cached, limits)
        let resolutions = Array(resolutions[cached.events(of: entries)])
        guard events.count == resolutions.count else { throw cache.damage }
        return ResolvedEvents(events, resolutions).events(in: range)
    }

    /// Those that a comparison found. Some of them may be cached.
    func comparedEvents(in range: SectionRange) throws(WarehouseError) -> [Event] {
        var events: [Event] = []
        for block in new[range.section] ?? [] where range.overlaps(block.first...block.last) {
            do {
                try block.decode(appendingTo: &events)
            } catch {
                throw .damagedBlock(path: cache?.path ?? "", error)
            }
        }
        events.removeAll { !range.holds($0.id) }
        return events
    }
}
