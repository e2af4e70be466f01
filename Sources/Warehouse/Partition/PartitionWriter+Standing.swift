import Events
import Foundation
import GRDB

extension PartitionWriter {
    /// Whether the partition that stands is whole and says what the finished file says, so that nothing is gained by
    /// installing it. What cannot be read says something else.
    package func isStanding() -> Bool {
        if PartitionWriter.haveEqualBytes(temporaryPath, path) { return true }
        // The blocks of a large log date are cut where its workers' runs began, so the bytes of two loads may differ.
        return (try? haveEqualContent()) ?? false
    }

    private static func haveEqualBytes(_ a: String, _ b: String) -> Bool {
        let descriptors = [a, b].map { (path: String) in open(path, O_RDONLY | O_CLOEXEC) }
        defer { for descriptor in descriptors where descriptor >= 0 { close(descriptor) } }
        guard descriptors.allSatisfy({ $0 >= 0 }) else { return false }
        var blocks = [[UInt8](repeating: 0, count: 1 << 18), [UInt8](repeating: 0, count: 1 << 18)]
        while true {
            let counts = [0, 1].map { filled(&blocks[$0], from: descriptors[$0]) }
            guard let count = counts[0], count == counts[1] else { return false }
            guard count > 0 else { return true }
            guard blocks[0].prefix(count) == blocks[1].prefix(count) else { return false }
        }
    }

    /// How many bytes there were for a block, fewer than it holds only at the end; nil if reading failed.
    private static func filled(_ block: inout [UInt8], from descriptor: Int32) -> Int? {
        var end = 0
        while end < block.count {
            let (start, wanted) = (end, block.count - end)
            let got = block.withUnsafeMutableBytes { buffer in
                read(descriptor, buffer.baseAddress.map { $0 + start }, wanted)
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { return nil }
            if got == 0 { break }
            end += got
        }
        return end
    }

    private func haveEqualContent() throws -> Bool {
        let (new, old) = (try Partition(path: temporaryPath), try Partition(path: path))
        guard new.summary == old.summary, try new.rowsOfTables() == old.rowsOfTables() else { return false }
        let (newPlaces, oldPlaces) = (try new.blockPlaces(), try old.blockPlaces())
        guard Set(newPlaces.keys) == Set(oldPlaces.keys) else { return false }
        let limits = EventNumberLimits(try new.names())
        for (section, places) in newPlaces {
            var ours = EventStream(new, places, limits)
            var theirs = EventStream(old, oldPlaces[section] ?? [], limits)
            while let event = try ours.next() {
                guard let other = try theirs.next(), areEqual(event, other) else { return false }
            }
            guard try theirs.next() == nil else { return false }
        }
        return true
    }

    private func areEqual(_ a: Event, _ b: Event) -> Bool {
        a.id == b.id && a.action == b.action && a.time == b.time && a.source == b.source && a.delivery == b.delivery
            && a.platform == b.platform && a.records == b.records
    }
}

extension Partition {
    /// The rows of all tables but the events.
    fileprivate func rowsOfTables() throws -> [[[DatabaseValue]]] {
        let selections =
            PartitionSchema.tables.map(\.selection) + [
                "SELECT * FROM sources ORDER BY source", "SELECT * FROM actions ORDER BY action",
                "SELECT * FROM deliveries ORDER BY delivery", "SELECT * FROM rejects ORDER BY rowid",
                "SELECT * FROM daily ORDER BY row", "SELECT * FROM figures ORDER BY name",
                "SELECT * FROM hashes WHERE table_name <> 'events' ORDER BY table_name",
            ]
        return try read { database in
            try selections.map { sql in try Row.fetchAll(database, sql: sql).map { Array($0.databaseValues) } }
        }
    }
}

/// The events of a section in order, a block in memory at a time.
private struct EventStream {
    private let partition: Partition
    private let limits: EventNumberLimits
    private var places: ArraySlice<BlockPlace>
    private var events: [Event] = []
    private var position = 0

    init(_ partition: Partition, _ places: [BlockPlace], _ limits: EventNumberLimits) {
        self.partition = partition
        self.limits = limits
        self.places = places[...]
    }

    mutating func next() throws(WarehouseError) -> Event? {
        if position == events.count {
            guard !places.isEmpty else { return nil }
            events.removeAll(keepingCapacity: true)
            position = 0
            for block in try partition.blocks(places.prefix(1)) {
                try partition.decode(block, limits, appendingTo: &events)
            }
            places.removeFirst()
            guard !events.isEmpty else { return nil }
        }
        defer { position += 1 }
        return events[position]
    }
}
