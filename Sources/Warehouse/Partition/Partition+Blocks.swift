import Events
import Foundation
import GRDB

/// Where a block lies in its partition, and which ids it holds.
package struct BlockPlace: Sendable {
    /// Consecutive within a section.
    package let number: Int64
    package let first: EventID
    package let last: EventID
    package let events: Int
    /// Events of the partition before this block.
    package let start: Int
}

extension Partition {
    /// The places of all blocks, by section, in the order of their ids. Reads an index only, no block.
    package func blockPlaces() throws(WarehouseError) -> [Section: [BlockPlace]] {
        if let knownPlaces { return knownPlaces }
        return try read { database in
            var places: [Section: [BlockPlace]] = [:]
            var events = 0
            var hash = ContentHash()
            // The order of the numbers, which the index has: the rows themselves lie between the blocks.
            let rows = try RowStatement(
                "SELECT id_space, kind, first, last, number, events FROM events ORDER BY 1, 2, 3, 4, 5", in: database)
            defer { rows.reset() }
            var section = Section(idSpace: "", kind: .hex)
            while try rows.next() {
                if rows.compare(section.idSpace, column: 0) != 0 { section.idSpace = rows.text(0) }
                let kind = UInt8(exactly: rows.number(1)).flatMap(Section.Kind.init(rawValue:))
                guard let kind, let first = rows.id(2), let last = rows.id(3), !(last < first) else {
                    throw WarehouseError.corrupt(path: self.path, detail: "a block's keys are none")
                }
                section.kind = kind
                let place = BlockPlace(
                    number: rows.number(4), first: first, last: last,
                    events: Int(truncatingIfNeeded: rows.number(5)), start: events)
                hash.add(place, section)
                if let before = places[section]?.last {
                    guard !(first < before.last), place.number == before.number + 1 else {
                        throw WarehouseError.corrupt(path: self.path, detail: "blocks are out of order")
                    }
                }
                guard (1...EventBlock.capacity).contains(place.events) else {
                    throw WarehouseError.corrupt(path: self.path, detail: "a block's size is none")
                }
                events += place.events
                places[section, default: []].append(place)
            }
            try ContentHashes.check(hash, of: "events", in: database, path: self.path)
            guard events == self.summary.events else {
                throw WarehouseError.corrupt(
                    path: self.path, detail: "its blocks hold \(events) events instead of \(self.summary.events)")
            }
            return places
        }
    }

    /// The blocks of places that follow one another in a section.
    package func blocks(_ places: ArraySlice<BlockPlace>) throws(WarehouseError) -> [EventBlock] {
        guard !places.isEmpty else { return [] }
        return try read { database in
            let reader = try BlobReader(table: "events", column: "block", in: database)
            return try places.map { place in
                EventBlock(
                    first: place.first, last: place.last, count: place.events,
                    bytes: try reader.bytes(row: place.number))
            }
        }
    }

    func decode(
        _ block: EventBlock, _ limits: EventNumberLimits, appendingTo events: inout [Event]
    ) throws(WarehouseError) {
        let before = events.count
        do {
            try block.decode(appendingTo: &events)
        } catch {
            throw .corrupt(path: path, detail: "a block of events: \(error)")
        }
        guard events.last?.id == block.last, limits.hold(events.span.extracting(before..<events.count)) else {
            throw .corrupt(path: path, detail: "a block of events contradicts the tables beside it")
        }
    }
}

extension [BlockPlace] {
    func holding(_ id: EventID) -> ArraySlice<BlockPlace> {
        let start = firstPlace { !($0.last < id) }
        return self[start..<Swift.max(start, firstPlace { id < $0.first })]
    }

    func holding(_ range: KeyRange) -> ArraySlice<BlockPlace> {
        let start = range.lower.map { lower in firstPlace { !($0.last < lower) } } ?? 0
        let end = range.upper.map { upper in firstPlace { !($0.first < upper) } } ?? count
        return self[start..<Swift.max(start, end)]
    }

    /// Binary search for the first block that satisfies what all after it satisfy too.
    private func firstPlace(_ isReached: (BlockPlace) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isReached(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
