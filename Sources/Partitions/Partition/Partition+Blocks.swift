import Counting
import Events
import Messages
import SQLite

extension Partition {
    /// The number of blocks that are read together.
    private static let blocksAtATime = 64

    /// The index of all blocks, by section, sorted by id. Reads no block.
    package func blockEntries() throws -> [Section: [BlockEntry]] {
        try read { database in
            var entries: [Section: [BlockEntry]] = [:]
            var events = 0
            // The query needs only an index, which has this order. In the table, blocks lie between the rows.
            try database.forEach(
                "SELECT id_space, kind, first, last, number, events FROM events ORDER BY 1, 2, 3, 4, 5"
            ) { row in
                let (kind, number): (Int, Int64) = (try row.read(1), try row.read(4))
                guard let kind = UInt8(exactly: kind).flatMap(Section.Kind.init(rawValue:)),
                    let first = EventID(bytes: row.bytes(2)), let last = EventID(bytes: row.bytes(3)), !(last < first)
                else { throw OutputError(.corrupt("block \(number): invalid key"), at: self.path) }
                let section = Section(idSpace: try row.read(0), kind: kind)
                let entry = BlockEntry(number: number, first: first, last: last, events: try row.read(5))
                if let before = entries[section]?.last {
                    guard !(first < before.last), entry.number &- 1 == before.number else {
                        throw OutputError(.corrupt("blocks are out of order"), at: self.path)
                    }
                }
                guard (1...EventBlock.capacity).contains(entry.events) else {
                    throw OutputError(.corrupt("block \(entry.number): invalid size"), at: self.path)
                }
                events += entry.events
                entries[section, default: []].append(entry)
            }
            let expected = self.summary.hasIDs ? self.summary.events : 0
            guard events == expected else {
                throw OutputError(.corrupt("its blocks hold \(events) events instead of \(expected)"), at: self.path)
            }
            return entries
        }
    }

    /// Reads the blocks of entries of one section.
    package func blocks(_ entries: ArraySlice<BlockEntry>) throws -> [EventBlock] {
        guard !entries.isEmpty else { return [] }
        return try read { database in
            let reader = BlobReader(of: "block", in: "events", of: database)
            return try entries.map { entry in
                guard let bytes = try reader.bytes(ofRow: entry.number, atMost: EventBlock.maxBytes) else {
                    throw OutputError(.corrupt("block \(entry.number): invalid size"), at: self.path)
                }
                return EventBlock(first: entry.first, last: entry.last, count: entry.events, bytes: bytes)
            }
        }
    }

    package func decode(
        _ block: EventBlock, names: EventNames, appendingTo events: inout [Event]
    ) throws {
        let before = events.count
        do {
            try block.decode(appendingTo: &events)
        } catch {
            throw OutputError.damagedBlock(at: path, error: error)
        }
        guard events.last?.id == block.last, names.hold(events.span.extracting(before..<events.count)) else {
            throw OutputError.contradictingBlock(at: path)
        }
    }

    /// Calls `body` with the events of each block, sorted by section and id.
    /// - Throws: `Stopped` if `isStopped` returns true.
    func forEachBlock(
        names: EventNames, isStopped: () -> Bool, body: (Section, BlockEntry, [Event]) -> Void
    ) throws {
        var events: [Event] = []
        try forEachBlock(isStopped: isStopped) { section, entry, block in
            events.removeAll(keepingCapacity: true)
            try decode(block, names: names, appendingTo: &events)
            body(section, entry, events)
        }
    }

    /// Calls `body` with each block, without decoding it.
    func forEachBlock(
        isStopped: () -> Bool, body: (Section, BlockEntry, EventBlock) throws -> Void
    ) throws {
        for (section, entries) in try blockEntries().sorted(by: { $0.key < $1.key }) {
            for start in stride(from: 0, to: entries.count, by: Partition.blocksAtATime) {
                if isStopped() { throw Stopped() }
                let group = entries[start..<min(start + Partition.blocksAtATime, entries.count)]
                for (entry, block) in zip(group, try blocks(group)) { try body(section, entry, block) }
            }
        }
    }
}
