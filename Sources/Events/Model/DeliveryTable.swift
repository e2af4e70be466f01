import Foundation
import Hashing

/// Numbers delivery ids from 0, in the order in which they are first seen. Ids are bytes of valid UTF-8.
package struct DeliveryTable: Sendable {
    /// A slot of the table of short ids.
    private struct ShortSlot {
        var word: UInt64 = 0
        /// The length of the id in bytes, plus 1; 0 for a free slot.
        var length: UInt32 = 0
        var index: UInt32 = 0
    }

    /// The bytes of all ids, and for each id the offset of its end.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    // Both tables use open addressing. Their sizes are powers of two.
    /// The ids of up to eight bytes, which are nearly all ids. The slot holds the whole id, so a lookup reads nothing
    /// else.
    private var shortSlots = [ShortSlot](repeating: ShortSlot(), count: 256)
    private var shortCount = 0
    /// The other ids: number + 1, or 0 for a free slot.
    private var slots = [UInt32](repeating: 0, count: 16)
    /// The hash of each id, by number; 0 for short ids.
    private var hashes: [UInt64] = []

    package init() {}

    /// The number of ids.
    package var count: Int { ends.count }

    /// The approximate size of the table in bytes.
    package var memory: Int {
        bytes.capacity + ends.capacity * 8 + hashes.capacity * 8 + slots.capacity * 4
            + shortSlots.capacity * MemoryLayout<ShortSlot>.stride
    }

    /// The number of a delivery id; a new id gets the next number.
    @inline(__always)
    package mutating func index(of delivery: Span<UInt8>) -> UInt32 {
        guard delivery.count <= 8 else { return find(delivery) }
        let word = DeliveryTable.word(delivery)
        let length = UInt32(truncatingIfNeeded: delivery.count &+ 1)
        let mask = shortSlots.count &- 1
        var slot = DeliveryTable.slot(of: word) & mask
        while shortSlots[slot].length != 0 {
            if shortSlots[slot].word == word && shortSlots[slot].length == length { return shortSlots[slot].index }
            slot = (slot &+ 1) & mask
        }
        return insertShort(delivery, ShortSlot(word: word, length: length, index: UInt32(ends.count)), at: slot)
    }

    /// A word that differs for different ids of the same length, which is at most eight bytes.
    @inline(__always)
    private static func word(_ delivery: Span<UInt8>) -> UInt64 {
        let raw = delivery.bytes
        let count = delivery.count
        if count == 8 { return UInt64(littleEndian: raw.unsafeLoadUnaligned(as: UInt64.self)) }
        if count >= 4 {
            let first = UInt32(littleEndian: raw.unsafeLoadUnaligned(as: UInt32.self))
            let last = UInt32(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
            return UInt64(last) << 32 | UInt64(first)
        }
        guard count > 0 else { return 0 }
        return UInt64(delivery[0]) | UInt64(delivery[count / 2]) << 8 | UInt64(delivery[count &- 1]) << 16
    }

    @inline(__always)
    private static func slot(of word: UInt64) -> Int {
        // The high bits of the product depend on all bytes of the word. The swap makes them the low bits.
        Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15).byteSwapped)
    }

    @inline(never)
    private mutating func insertShort(_ delivery: Span<UInt8>, _ new: ShortSlot, at slot: Int) -> UInt32 {
        shortSlots[slot] = new
        shortCount += 1
        append(delivery, hash: 0)
        guard shortCount * 2 > shortSlots.count else { return new.index }
        let old = shortSlots
        shortSlots = Array(repeating: ShortSlot(), count: old.count * 4)
        let mask = shortSlots.count - 1
        for entry in old where entry.length != 0 {
            var slot = DeliveryTable.slot(of: entry.word) & mask
            while shortSlots[slot].length != 0 { slot = (slot + 1) & mask }
            shortSlots[slot] = entry
        }
        return new.index
    }

    @inline(never)
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

    /// The id with a number.
    package func text(_ index: UInt32) -> String {
        String(decoding: bytes[range(Int(index))], as: UTF8.self)
    }

    /// Whether the id of `a` sorts before the id of `b`, by bytes.
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
                // `range` is within `bytes` and has the length of `delivery`.
                return memcmp(ours + range.lowerBound, theirs, count) == 0
            }
        }
    }

    private mutating func insert(_ delivery: Span<UInt8>, hash: UInt64, slot: Int) -> UInt32 {
        let index = UInt32(ends.count)
        slots[slot] = index + 1
        append(delivery, hash: hash)
        guard (ends.count - shortCount) * 2 > slots.count else { return index }
        let old = slots
        slots = Array(repeating: 0, count: old.count * 4)
        let mask = slots.count - 1
        for entry in old where entry != 0 {
            var slot = Int(truncatingIfNeeded: hashes[Int(entry - 1)]) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = entry
        }
        return index
    }

    private mutating func append(_ delivery: Span<UInt8>, hash: UInt64) {
        for offset in delivery.indices { bytes.append(delivery[offset]) }
        ends.append(bytes.count)
        hashes.append(hash)
    }

    /// Merges tables. Returns the ids of all tables, sorted by bytes, and for each table the new number of each of its
    /// ids.
    package static func merge(_ tables: [DeliveryTable]) -> (texts: [String], renumbering: [[UInt32]]) {
        var unique = DeliveryTable()
        let unsorted = tables.map { table in
            (0..<UInt32(table.count)).map { unique.index(of: table.bytes[table.range(Int($0))].span) }
        }
        let order = (0..<UInt32(unique.count)).sorted { unique.precedes($0, $1) }
        var rank = [UInt32](repeating: 0, count: order.count)
        for (position, number) in order.enumerated() { rank[Int(number)] = UInt32(position) }
        return (order.map { unique.text($0) }, unsorted.map { $0.map { rank[Int($0)] } })
    }
}
