import Counting
import Events

/// The resolved shared messages of stale partitions.
///
/// A message is resolved again only if one of its events may have changed. Otherwise its cached resolution is used: no
/// added partition has the message, and no partition that shared messages with its partition was removed.
struct Overlap: Sendable {
    private let members: [Member]
    private let ranges: [SectionRange]
    /// By range of ids and by member. If the member is resolved: for the events that the comparison found. Otherwise
    /// for all its shared events in the range. Empty for members that are not stale.
    private let resolutions: [[[Resolution]]]

    init(
        _ basis: PublicationBasis, stale: [Int], _ caches: [PartitionCache?], _ comparison: Comparison,
        _ neighbours: Neighbours
    ) throws(WarehouseError) {
        let (partitions, resources) = (basis.partitions, basis.resources)
        let indices = Set(stale).union(stale.flatMap(neighbours.sharing)).sorted()
        let staleSet = Set(stale)
        let isResolved = indices.map { index in
            guard let head = caches[index]?.head else { return false }
            return head.settings == basis.settings.version
                && neighbours.hasOnlyAdditions(index, since: head.sharing)
        }
        // The cached events of a partition need not be read if all messages to be resolved are messages of compared
        // partitions, and the partition has been compared with all of these. Then the comparison has found all its
        // events of them.
        let resolvesMore = zip(indices, isResolved).contains { index, isResolved in
            staleSet.contains(index) && !isResolved && caches[index] != nil
        }
        let members = try resources.workers.map(indices.count) { number throws(WarehouseError) in
            let index = indices[number]
            let names = try partitions.partition(index).names()
            let readsCache = resolvesMore || !neighbours.isComparedWithAll(index)
            return Member(
                index: index, names: names, isStale: staleSet.contains(index), isResolved: isResolved[number],
                cached: readsCache ? try caches[index]?.sharedBlocks(NameCounts(names)) : nil,
                found: comparison.blocks[index] ?? [:])
        }
        let names = GlobalNames(members.map(\.names), pipelineSources: basis.settings.sourceNames)
        let resolver = MessageResolver(
            logDates: indices.map { partitions.summaries[$0].logDate }, windowDays: basis.settings.windowDays,
            names: names)
        let ranges = basis.ranges(members.map(\.entries))
        resolutions = try resources.workers.map(ranges.count) { number throws(WarehouseError) in
            try resources.check()
            return try Overlap.resolve(ranges[number], members, resolver)
        }
        self.ranges = ranges
        self.members = members
    }

    private static func resolve(
        _ range: SectionRange, _ members: [Member], _ resolver: MessageResolver
    ) throws(WarehouseError) -> [[Resolution]] {
        var (found, lists): ([[Event]], [[Event]]) = ([], [])
        for member in members {
            var events = ResolvedEvents(unresolved: try member.comparedEvents(in: range))
            found.append(events.events)
            if let cached = try member.cached?.events(in: range) {
                events.remove(idsOf: cached.events)
                events = ResolvedEvents(merging: [cached, events])
            }
            lists.append(events.events)
        }
        let stale = members.indices.filter { members[$0].isStale }
        let ids = SharedEvents.ids(stale.map { members[$0].isResolved ? found[$0] : lists[$0] })
        let wanted = lists.map { SharedEvents.filter($0, ids) }
        var resolver = resolver
        let resolved = resolver.resolve(wanted)
        return members.indices.map { index in
            guard members[index].isStale else { return [] }
            var list = ResolvedEvents(unresolved: members[index].isResolved ? found[index] : lists[index])
            list.update(from: wanted[index], resolved[index])
            return list.resolutions
        }
    }

    private func number(of index: Int) -> Int { members.firstIndex { $0.index == index } ?? 0 }

    func names(of index: Int) -> EventNames { members[number(of: index)].names }

    /// The events of all shared messages of a stale partition.
    /// - Parameter cache: the partition's cache. Its runs come first.
    func sharedRuns(
        of index: Int, _ cache: PartitionCache?
    ) throws(WarehouseError) -> [SharedRun] {
        let number = number(of: index)
        let member = members[number]
        var runs = try cache?.sharedBlocks(NameCounts(member.names)).runs() ?? []
        for section in Set(member.entries.keys).sorted() {
            let resolutions = zip(ranges, self.resolutions).flatMap { $0.section == section ? $1[number] : [] }
            let found = try member.comparedEvents(in: SectionRange(section))
            if member.isResolved {
                SharedRun.add(found, resolutions, section, to: &runs)
            } else {
                SharedRun.add(found, found.map { _ in .unknown }, section, to: &runs)
                // These resolutions are for the events of all runs.
                let all = ResolvedEvents(merging: runs.filter { $0.section == section }.map(\.list)).events
                for run in runs.indices where runs[run].section == section {
                    runs[run].list.update(from: all, resolutions)
                }
            }
        }
        return runs
    }
}

/// A partition whose shared messages are needed.
private struct Member: Sendable {
    let index: Int
    let names: EventNames
    let isStale: Bool
    /// Whether the cached resolutions are valid for all messages that the comparison did not find.
    let isResolved: Bool
    /// The cached events; nil if they are not needed.
    let cached: SharedBlocks?
    /// The events that the comparison found. Some may be cached already.
    let found: [Section: [EventBlock]]

    /// The index of all blocks, cached or found.
    var entries: [Section: [BlockEntry]] {
        var entries = found.mapValues { blocks in
            blocks.map { BlockEntry(number: -1, first: $0.first, last: $0.last, events: $0.count) }
        }
        for (section, blocks) in cached?.entries ?? [] { entries[section, default: []] += blocks }
        return entries
    }

    /// The events that the comparison found in a range.
    func comparedEvents(in range: SectionRange) throws(WarehouseError) -> [Event] {
        var events: [Event] = []
        for block in found[range.section] ?? [] where range.overlaps(block.first...block.last) {
            do {
                try block.decode(appendingTo: &events)
            } catch {
                throw .damagedBlock(path: "", error)
            }
        }
        events.removeAll { !range.holds($0.id) }
        return events
    }
}
