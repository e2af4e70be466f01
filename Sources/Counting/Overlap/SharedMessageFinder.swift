import Calendar
import Events

/// A range of ids, with the ids that each partition has there in hand: finds the messages that several partitions have,
/// reads their events, and has them judged.
struct MeetingRange {
    /// Events of a range that is worked on quickly: few blocks lie in two ranges, and a sieve fits the second cache level.
    static let goodEvents = 1 << 21
    /// What a partition has in the range.
    fileprivate struct Part {
        /// In the set.
        let index: Int
        let isFresh: Bool
        let isNewcomer: Bool
        var blocks: [EventBlock] = []
        var places: [BlockPlace] = []
    }

    /// Events of meetings, where in its partition each lies, and where each meeting's events end; one partition's after
    /// another's.
    fileprivate struct Events {
        var events: [Event] = []
        var places: [Int] = []
        var ends: [Int] = []
    }

    private var parts: [Part] = []
    private let range: KeyRange
    private let set: MeetingSet
    private let means: PublicationMeans
    private var judge: MessageJudge
    private var days: DayClock

    /// Reads the ids of the range; `blocks` are by the set's order.
    init(
        _ range: KeyRange, _ blocks: [[Section: [BlockPlace]]], _ set: MeetingSet, _ means: PublicationMeans
    ) throws(WarehouseError) {
        self.range = range
        self.set = set
        self.means = means
        judge = MessageJudge(
            logDates: set.places.map { set.partitions.summaries[$0].logDate }, windowDays: set.settings.windowDays,
            isFresh: set.isFresh, names: set.names)
        days = set.days
        for index in set.places.indices {
            guard let places = blocks[index][range.section]?.holding(range), !places.isEmpty else { continue }
            var part = Part(index: index, isFresh: set.isFresh[index], isNewcomer: set.isNewcomer[index])
            try part.read(places, of: try set.partitions.partition(set.places[index]))
            parts.append(part)
            if means.isStopped() { throw .stopped }
        }
    }

    /// What the meetings change in each partition's figures, and the pairs that meet; both by the set's order.
    mutating func judged() throws(WarehouseError) -> ([Corrections], Set<Neighbourhood.Pair>) {
        guard parts.contains(where: { set.isFresh[$0.index] }), parts.count > 1 else { return ([], []) }
        let meetings = try meetings()
        var wanted = [[Meeting]](repeating: [], count: parts.count)
        for meeting in meetings { wanted[meeting.list].append(meeting) }
        var picked = Events()
        var next: [(meeting: Int, event: Int)] = []
        for index in parts.indices {
            next.append((picked.ends.count, picked.events.count))
            try pick(wanted[index], of: index, into: &picked)
        }
        var pairs: Set<Neighbourhood.Pair> = []
        var message: [Member] = []
        var start = 0
        while start < meetings.count {
            let id = meetings[start].id
            message.removeAll(keepingCapacity: true)
            while start < meetings.count, meetings[start].id == id {
                let list = meetings[start].list
                let first = next[list].event
                // Two blocks may share a message: then the partition is there twice in a row.
                while start < meetings.count, meetings[start].list == list, meetings[start].id == id {
                    next[list] = (next[list].meeting + 1, picked.ends[next[list].meeting])
                    start += 1
                }
                message.append(
                    Member(
                        list: list, index: parts[list].index, isFresh: parts[list].isFresh,
                        isNewcomer: parts[list].isNewcomer, events: first..<next[list].event))
            }
            judge(message, picked)
            note(message, in: &pairs)
        }
        if means.isStopped() { throw .stopped }
        return (judge.corrections, pairs)
    }

    /// The messages that several partitions have, one of them a fresh one.
    private func meetings() throws(WarehouseError) -> [Meeting] {
        let isWide = range.section.kind != .hex
        let fresh = parts.indices.filter { set.isFresh[parts[$0].index] }
        var ids: [BlockIDs] = []
        for list in fresh { ids.append(try blockIDs(of: list, isWide: isWide)) }
        var sieve = MessageSieve(ids.map { ($0.ids, $0.places(in: range)) }, isWide: isWide)
        var meetings: [Meeting] = []
        var found: [WantedMessage] = []
        for (list, part) in parts.enumerated() where !set.isFresh[part.index] {
            for (number, block) in part.blocks.enumerated() {
                found.removeAll(keepingCapacity: true)
                try reportingDamage(list) { () throws(EventBlockError) in try sieve.sift(block, into: &found) }
                for message in found where range.holds(message.id) {
                    meetings.append(Meeting(id: message.id, list: list, block: number, number: message.number))
                }
            }
        }
        for (list, ids) in zip(fresh, ids) {
            for place in ids.places(in: range) where sieve.isShared(ids.ids[place]) {
                let (block, number) = ids.block(of: place)
                meetings.append(Meeting(id: ids.ids[place], list: list, block: block, number: number))
            }
        }
        return meetings.shared { set.isFresh[parts[$0].index] }
    }

    private func blockIDs(of list: Int, isWide: Bool) throws(WarehouseError) -> BlockIDs {
        var ids = BlockIDs(isWide: isWide)
        for block in parts[list].blocks {
            try reportingDamage(list) { () throws(EventBlockError) in try ids.append(block) }
        }
        return ids
    }

    private func reportingDamage(
        _ list: Int, _ body: () throws(EventBlockError) -> Void
    ) throws(WarehouseError) {
        do {
            try body()
        } catch {
            let path = set.partitions.path(set.places[parts[list].index])
            throw .corrupt(path: path, detail: "a block of events: \(error)")
        }
    }

    /// What a partition has of a message.
    private struct Member {
        let list: Int
        /// In the set.
        let index: Int
        let isFresh: Bool
        let isNewcomer: Bool
        let events: Range<Int>
    }

    private mutating func judge(_ message: [Member], _ picked: borrowing Events) {
        for member in message { take(member, picked) }
        guard message.contains(where: \.isNewcomer) else { return judge.judge(.fresh, &days) }
        judge.judge(.all, &days)
        // Kept figures have what the message comes to without the newcomers.
        guard message.contains(where: { !$0.isFresh }) else { return }
        for member in message where !member.isNewcomer { take(member, picked) }
        judge.judge(.undoingKept, &days)
    }

    private mutating func take(_ member: Member, _ picked: borrowing Events) {
        judge.take(member.events, of: picked.events.span, places: picked.places.span, partition: member.index)
    }

    private func note(_ message: [Member], in pairs: inout Set<Neighbourhood.Pair>) {
        for (number, first) in message.enumerated() {
            for second in message[(number + 1)...] where first.isFresh || second.isFresh {
                pairs.insert(.init(first.index, second.index))
            }
        }
    }

    private func pick(_ meetings: [Meeting], of index: Int, into picked: inout Events) throws(WarehouseError) {
        let place = set.places[parts[index].index]
        try parts[index].pick(meetings, path: set.partitions.path(place), set.sources[place].limits, into: &picked)
    }
}

extension MeetingRange.Part {
    /// Reads the ids of blocks, which may have gaps between them.
    fileprivate mutating func read(
        _ wanted: ArraySlice<BlockPlace>, of partition: Partition
    ) throws(WarehouseError) {
        var rest = wanted
        while let first = rest.first {
            let together = rest.enumerated().prefix { $1.number == first.number + Int64($0) }.count
            blocks += try partition.blocks(rest.prefix(together))
            rest = rest.dropFirst(together)
        }
        places = Array(wanted)
    }

    /// Reads the events of meetings, which are in the order of their messages.
    fileprivate func pick(
        _ meetings: [Meeting], path: String, _ limits: EventNumberLimits, into picked: inout MeetingRange.Events
    ) throws(WarehouseError) {
        let start = picked.events.count
        var wanted: [WantedMessage] = []
        var next = 0
        for block in blocks.indices {
            wanted.removeAll(keepingCapacity: true)
            while next < meetings.count, meetings[next].block == block {
                wanted.append(WantedMessage(number: meetings[next].number, id: meetings[next].id))
                next += 1
            }
            guard !wanted.isEmpty else { continue }
            let before = picked.events.count
            do {
                try blocks[block].pick(wanted, events: &picked.events, places: &picked.places, ends: &picked.ends)
            } catch {
                throw .corrupt(path: path, detail: "a block of events: \(error)")
            }
            for index in before..<picked.events.count { picked.places[index] += places[block].start }
        }
        guard limits.hold(picked.events.span.extracting(start..<picked.events.count)) else {
            throw .corrupt(path: path, detail: "a block of events contradicts the tables beside it")
        }
    }
}

/// The ids of some blocks one after another.
private struct BlockIDs {
    private(set) var ids: MessageIDs
    /// Messages of the blocks before each block.
    private var starts: [Int] = []

    init(isWide: Bool) {
        ids = MessageIDs(isWide: isWide)
    }

    mutating func append(_ block: EventBlock) throws(EventBlockError) {
        starts.append(ids.count)
        try ids.append(block)
    }

    func places(in range: KeyRange) -> Range<Int> {
        let start = range.lower.map { ids.firstPlace(notBefore: $0) } ?? 0
        return start..<(range.upper.map { ids.firstPlace(notBefore: $0, from: start) } ?? ids.count)
    }

    /// The block that a place among the ids lies in, and which of its messages it is.
    func block(of place: Int) -> (block: Int, number: Int) {
        let block = (starts.firstIndex { $0 > place } ?? starts.count) - 1
        return (block, place - starts[block])
    }
}
