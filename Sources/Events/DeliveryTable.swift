import Foundation

/// Gives every delivery id a number, in the order in which they are first seen. Ids are the bytes of valid UTF-8.
package struct DeliveryTable: Sendable {
    /// A power of two.
    private static let recentCount = 1024

    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var hashes: [UInt64] = []
    /// Open addressing: number + 1, or 0 for a free slot; the size is a power of two.
    private var slots: [UInt32] = []

    /// The ids of up to 8 bytes that were asked for last, by their hash.
    private var recent: [(word: UInt64, count: Int, index: UInt32)]

    package init() {
        slots = Array(repeating: 0, count: 256)
        recent = Array(repeating: (0, -1, 0), count: DeliveryTable.recentCount)
    }

    package var count: Int { ends.count }

    /// Bytes that the table takes, roughly.
    package var memory: Int { bytes.capacity + ends.capacity * 8 + hashes.capacity * 8 + slots.capacity * 4 }

    package mutating func index(of delivery: Span<UInt8>) -> UInt32 {
        guard delivery.count <= 8 else { return find(delivery) }
        // Nearly all ids are a few hexadecimal digits: one word, and no need to look at the bytes again.
        var word: UInt64 = 0
        for offset in delivery.indices { word = word &<< 8 | UInt64(delivery[offset]) }
        let place = Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 54)
        if recent[place].word == word && recent[place].count == delivery.count { return recent[place].index }
        let index = find(delivery)
        recent[place] = (word, delivery.count, index)
        return index
    }

    private mutating func find(_ delivery: Span<UInt8>) -> UInt32 {
        let hash = WordHash.of(delivery)
        let mask = slots.count &- 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            let index = Int(slots[slot] &- 1)
            if hashes[index] == hash && equals(delivery, index) { return UInt32(truncatingIfNeeded: index) }
            slot = (slot &+ 1) & mask
        }
        return insert(delivery, hash: hash, slot: slot)
    }

    package func text(_ index: UInt32) -> String {
        String(decoding: bytes[range(Int(index))], as: UTF8.self)
    }

    /// Whether one id's bytes come before the other's.
    package func precedes(_ a: UInt32, _ b: UInt32) -> Bool {
        a != b && bytes[range(Int(a))].lexicographicallyPrecedes(bytes[range(Int(b))])
    }

    private func range(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : ends[index &- 1])..<ends[index]
    }

    private func equals(_ delivery: Span<UInt8>, _ index: Int) -> Bool {
        let range = range(index)
        let count = delivery.count
        guard count == range.count else { return false }
        return delivery.withUnsafeBufferPointer { delivery in
            bytes.withUnsafeBufferPointer { bytes in
                guard let ours = bytes.baseAddress, let theirs = delivery.baseAddress else { return true }
                // `range` lies within `bytes` and is as long as `delivery`.
                return memcmp(ours + range.lowerBound, theirs, count) == 0
            }
        }
    }

    private mutating func insert(_ delivery: Span<UInt8>, hash: UInt64, slot: Int) -> UInt32 {
        let index = UInt32(ends.count)
        for offset in delivery.indices { bytes.append(delivery[offset]) }
        ends.append(bytes.count)
        hashes.append(hash)
        slots[slot] = index + 1
        if ends.count * 2 > slots.count { grow() }
        return index
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 4)
        let mask = slots.count - 1
        for index in hashes.indices {
            var slot = Int(truncatingIfNeeded: hashes[index]) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = UInt32(index + 1)
        }
    }

    /// One table of the texts of all `tables`, sorted by their bytes, and for each table the new number of each id.
    package static func merge(_ tables: [DeliveryTable]) -> (texts: [String], renumbering: [[UInt32]]) {
        var unique = DeliveryTable()
        let unsorted = tables.map { table in
            (0..<UInt32(table.count)).map { unique.index(of: table.bytes[table.range(Int($0))].span) }
        }
        let order = (0..<UInt32(unique.count)).sorted { unique.precedes($0, $1) }
        var rank = [UInt32](repeating: 0, count: order.count)
        for (position, index) in order.enumerated() { rank[Int(index)] = UInt32(position) }
        return (order.map { unique.text($0) }, unsorted.map { $0.map { rank[Int($0)] } })
    }
}
