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
            let rows = try Row.fetchCursor(
                database, sql: "SELECT id_space, kind, first, last, events, number FROM events ORDER BY number")
            while let row = try rows.next() {
                hash.add(row.databaseValues.prefix(5))
                let kind = UInt8(exactly: try row.decode(Int.self, atIndex: 1)).flatMap(Section.Kind.init(rawValue:))
                guard let kind, let first = EventID(data: try row.decode(Data.self, atIndex: 2)),
                    let last = EventID(data: try row.decode(Data.self, atIndex: 3)), !(last < first)
                else { throw WarehouseError.corrupt(path: self.path, detail: "a block's keys are none") }
                let section = Section(idSpace: try row.decode(String.self, atIndex: 0), kind: kind)
                let place = BlockPlace(
                    number: try row.decode(Int64.self, atIndex: 5), first: first, last: last,
                    events: try row.decode(Int.self, atIndex: 4), start: events)
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
        guard let first = places.first, let last = places.last else { return [] }
        let blocks = try read { database in
            var blocks: [EventBlock] = []
            blocks.reserveCapacity(places.count)
            let rows = try Row.fetchCursor(
                database, sql: "SELECT block FROM events WHERE number BETWEEN ? AND ? ORDER BY number",
                arguments: [first.number, last.number])
            var remaining = places
            while let row = try rows.next(), let place = remaining.popFirst() {
                let bytes = try row.withUnsafeData(atIndex: 0) { data in data.map { [UInt8]($0) } ?? [] }
                blocks.append(EventBlock(first: place.first, last: place.last, count: place.events, bytes: bytes))
            }
            return blocks
        }
        guard blocks.count == places.count else { throw .corrupt(path: path, detail: "blocks are missing") }
        return blocks
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
