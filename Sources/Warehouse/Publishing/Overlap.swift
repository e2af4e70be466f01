import Counting
import Events

/// The shared messages of stale partitions, resolved among all partitions that share them.
///
/// A message is resolved again where any of its events may have changed. Else its cached resolution serves: no partition has
/// been added that has the message, and none is gone that shares messages with its partition.
struct Overlap: Sendable {
    private let members: [Member]
    private let ranges: [SectionRange]
    /// By range of ids and by member: of all its shared events there, or if the others are resolved, of those that a comparison
    /// found. Empty for members that are not stale.
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
        // Where only messages of compared partitions are resolved, a comparison has found all events of them that those have
        // that were compared with all of these.
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

    /// The events of all shared messages of a stale partition; and those that were not shared before.
    /// - Parameter cache: what was cached of it; its runs come first.
    func sharedRuns(
        of index: Int, _ cache: PartitionCache?
    ) throws(WarehouseError) -> (runs: [SharedRun], new: [Event]) {
        let number = number(of: index)
        let member = members[number]
        var runs = try cache?.sharedBlocks(NameCounts(member.names)).runs() ?? []
        var new: [Event] = []
        for section in Set(member.entries.keys).sorted() {
            let resolutions = zip(ranges, self.resolutions).flatMap { $0.section == section ? $1[number] : [] }
            let found = try member.comparedEvents(in: SectionRange(section))
            if member.isResolved {
                new += SharedRun.add(found, resolutions, section, to: &runs)
            } else {
                new += SharedRun.add(found, found.map { _ in .unknown }, section, to: &runs)
                // These are of all events, whatever their runs.
                let all = ResolvedEvents(merging: runs.filter { $0.section == section }.map(\.list)).events
                for run in runs.indices where runs[run].section == section {
                    runs[run].list.update(from: all, resolutions)
                }
            }
        }
        return (runs, new)
    }
}

/// A partition whose shared messages are read.
private struct Member: Sendable {
    let index: Int
    let names: EventNames
    let isStale: Bool
    /// Whether the cached resolutions hold for all messages but those that a comparison found.
    let isResolved: Bool
    /// What is cached, where that is to be read.
    let cached: SharedBlocks?
    /// What a comparison found; some of it may be cached already.
    let found: [Section: [EventBlock]]

    /// The index of all blocks.
    var entries: [Section: [BlockEntry]] {
        var entries = found.mapValues { blocks in
            blocks.map { BlockEntry(number: -1, first: $0.first, last: $0.last, events: $0.count) }
        }
        for (section, blocks) in cached?.entries ?? [] { entries[section, default: []] += blocks }
        return entries
    }

    /// The events that a comparison found.
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
