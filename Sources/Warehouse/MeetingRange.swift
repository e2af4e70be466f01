import Events

/// A range of ids, with the ids that each partition has there in hand: finds the messages that several partitions have,
/// reads their events, and has them judged.
struct MeetingRange {
    /// Events of a range that is worked on quickly: its bits fit the second cache level.
    static let goodEvents = 1 << 18
    /// What a partition has in the range.
    fileprivate struct Part {
        let partition: Int
        var blocks: [EventBlock] = []
        var places: [BlockPlace] = []
        /// Messages of the blocks before each block.
        var starts: [Int] = []
        var ids: MessageIDs
        /// Those of the ids that lie in the range.
        var inRange = 0..<0
        /// Events of meetings, where in the partition each lies, and where each meeting's events end.
        var events: [Event] = []
        var eventPlaces: [Int] = []
        var ends: [Int] = []
    }

    private var parts: [Part] = []
    private let partitions: PartitionSet
    private let sources: [FigureSource]
    private let means: PublicationMeans
    private var judge: MessageJudge
    private var days: DayClock

    /// Reads the ids of the range.
    init(
        _ range: KeyRange, _ blocks: [[Section: [BlockPlace]]], _ partitions: PartitionSet, _ sources: [FigureSource],
        _ settings: PublicationSettings, _ names: GlobalNames, _ means: PublicationMeans
    ) throws(WarehouseError) {
        self.partitions = partitions
        self.sources = sources
        self.means = means
        judge = MessageJudge(
            logDates: partitions.summaries.map(\.logDate), windowDays: settings.windowDays, names: names)
        days = DayClock(zone: settings.zone)
        for index in 0..<partitions.count {
            guard let places = blocks[index][range.section]?.holding(range), !places.isEmpty else { continue }
            var part = Part(partition: index, ids: MessageIDs(isWide: range.section.kind != .hex))
            try part.read(places, of: try partitions.partition(index))
            let start = range.lower.map { part.ids.firstPlace(notBefore: $0) } ?? 0
            part.inRange = start..<(range.upper.map { part.ids.firstPlace(notBefore: $0, from: start) } ?? part.ids.count)
            parts.append(part)
            if means.isStopped() { throw .stopped }
        }
    }

    /// What the meetings change in each partition's figures.
    mutating func corrections() throws(WarehouseError) -> [Corrections] {
        guard parts.count > 1 else { return judge.corrections }
        var finder = MeetingFinder()
        let meetings = finder.meetings(parts.map { ($0.ids, $0.inRange) })
        var wanted = [[Meeting]](repeating: [], count: parts.count)
        for meeting in meetings { wanted[meeting.partition].append(meeting) }
        for index in parts.indices {
            try parts[index].pick(wanted[index], path: partitions.path(parts[index].partition), sources)
        }
        var next = Array(repeating: (meeting: 0, event: 0), count: parts.count)
        var start = 0
        while start < meetings.count {
            let id = meetings[start].id
            while start < meetings.count, meetings[start].id.isSame(as: id) {
                let index = meetings[start].partition
                let first = next[index].event
                // Two blocks may share a message: then the partition is there twice in a row.
                while start < meetings.count, meetings[start].partition == index, meetings[start].id.isSame(as: id) {
                    next[index] = (next[index].meeting + 1, parts[index].ends[next[index].meeting])
                    start += 1
                }
                let events = first..<next[index].event
                judge.take(
                    parts[index].events[events], places: parts[index].eventPlaces[events],
                    of: parts[index].partition)
            }
            judge.judge(&days)
        }
        if means.isStopped() { throw .stopped }
        return judge.corrections
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
        for block in blocks {
            starts.append(ids.count)
            do {
                try ids.append(block)
            } catch {
                throw .corrupt(path: partition.path, detail: "a block of events: \(error)")
            }
        }
    }

    /// Reads the events of meetings, which are in the order of their messages.
    fileprivate mutating func pick(
        _ meetings: [Meeting], path: String, _ sources: [FigureSource]
    ) throws(WarehouseError) {
        var wanted: [WantedMessage] = []
        var next = 0
        for block in blocks.indices {
            let end = block + 1 < starts.count ? starts[block + 1] : ids.count
            wanted.removeAll(keepingCapacity: true)
            while next < meetings.count, meetings[next].message < end {
                wanted.append(WantedMessage(number: meetings[next].message - starts[block], id: meetings[next].id))
                next += 1
            }
            guard !wanted.isEmpty else { continue }
            let before = events.count
            do {
                try blocks[block].pick(wanted, events: &events, places: &eventPlaces, ends: &ends)
            } catch {
                throw .corrupt(path: path, detail: "a block of events: \(error)")
            }
            for index in before..<events.count { eventPlaces[index] += places[block].start }
        }
        guard sources[partition].limits.hold(events.span) else {
            throw .corrupt(path: path, detail: "a block of events contradicts the tables beside it")
        }
    }
}
