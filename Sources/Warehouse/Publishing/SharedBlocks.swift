import Counting
import Events

/// The cached events of a partition's shared messages, still encoded.
struct SharedBlocks: Sendable {
    private let bytes: [UInt8]
    /// Two bytes for each event.
    private let resolutions: [UInt8]
    private let limits: NameCounts
    private let damage: WarehouseError
    /// The entries of the blocks, by run.
    private(set) var entries: [(section: Section, blocks: [BlockEntry])] = []
    /// By block number: its offset, and the number of events in the blocks before it. The last element is the end.
    private var offsets: [Int]
    private var eventsBefore = [0]
    /// By block number: the hash that the block must have.
    private var hashes: [UInt64] = []

    /// - Parameters:
    ///   - start: the offset of the first block.
    ///   - damage: the error to throw if something cannot be read.
    init(bytes: [UInt8], start: Int, resolutions: [UInt8], limits: NameCounts, damage: WarehouseError) {
        self.bytes = bytes
        offsets = [start]
        self.resolutions = resolutions
        self.limits = limits
        self.damage = damage
    }

    var blockCount: Int { offsets.count - 1 }

    mutating func appendRun(_ section: Section) {
        entries.append((section, []))
    }

    mutating func appendBlock(
        first: EventID, last: EventID, events: Int, hash: UInt64, end: Int
    ) throws(WarehouseError) {
        guard offsets[blockCount] <= end, end <= bytes.count, (1...EventBlock.capacity).contains(events),
            2 * (eventsBefore[blockCount] + events) <= resolutions.count
        else { throw damage }
        entries[entries.count - 1].blocks.append(
            BlockEntry(number: Int64(blockCount), first: first, last: last, events: events))
        eventsBefore.append(eventsBefore[blockCount] + events)
        offsets.append(end)
        hashes.append(hash)
    }

    /// All events, by run.
    func runs() throws(WarehouseError) -> [SharedRun] {
        var runs: [SharedRun] = []
        for (section, blocks) in entries { runs.append(SharedRun(section: section, list: try events(blocks[...]))) }
        return runs
    }

    /// The events in a range, of all runs.
    func events(in range: SectionRange) throws(WarehouseError) -> ResolvedEvents {
        var lists: [ResolvedEvents] = []
        for (section, blocks) in entries where section == range.section {
            lists.append(try events(blocks.holding(range)).events(in: range))
        }
        return ResolvedEvents(merging: lists)
    }

    private func events(_ blocks: ArraySlice<BlockEntry>) throws(WarehouseError) -> ResolvedEvents {
        guard let first = blocks.first, let last = blocks.last else { return ResolvedEvents([], []) }
        var events: [Event] = []
        for entry in blocks {
            let number = Int(entry.number)
            let block = EventBlock(
                first: entry.first, last: entry.last, count: entry.events,
                bytes: Array(bytes[offsets[number]..<offsets[number + 1]]))
            guard block.hash == hashes[number], (try? block.decode(appendingTo: &events)) != nil else { throw damage }
        }
        guard limits.hold(events.span) else { throw damage }
        let range = eventsBefore[Int(first.number)]..<eventsBefore[Int(last.number) + 1]
        return ResolvedEvents(
            events,
            range.map { index in
                Resolution(rawValue: UInt16(resolutions[2 * index]) | UInt16(resolutions[2 * index + 1]) << 8)
            })
    }
}
