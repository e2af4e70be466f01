/// Numbers delivery ids from 0, in the order in which they are first seen. Ids are bytes of valid UTF-8.
///
/// Anybody can send hits with ids of their choice. So that nobody can choose ids which meet in one slot, each table has
/// a hash function of its own.
package struct DeliveryTable: Sendable {
    private struct Slot {
        /// The whole id, if it has up to eight bytes, as nearly all have; else its hash.
        var word: UInt64 = 0
        /// The length of the id in bytes, plus 1; 0 for a free slot.
        var length: UInt32 = 0
        var index: UInt32 = 0
    }

    /// The bytes of all ids, and for each id the offset of its end.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    /// A hash table with open addressing. Its size is 2^(64 - `shift`).
    private var slots = [Slot](repeating: Slot(), count: 256)
    private var shift: UInt64 = 56
    /// An odd number at random. Whatever two words are, they share a slot with a probability of at most 2 /
    /// `slots.count`.
    private let multiplier = UInt64.random(in: .min ... .max) | 1

    package init() {}

    /// The number of ids.
    package var count: Int { ends.count }

    /// The number of a delivery id; a new id gets the next number.
    @inline(__always)
    package mutating func index(of delivery: Span<UInt8>) -> UInt32 {
        guard delivery.count <= 8 else { return longIndex(of: delivery) }
        return index(of: delivery, word: DeliveryTable.word(delivery), isWhole: true)
    }

    @inline(never)
    private mutating func longIndex(of delivery: Span<UInt8>) -> UInt32 {
        // Swift's own hash has a random seed, too.
        var hasher = Hasher()
        delivery.withUnsafeBytes { hasher.combine(bytes: $0) }
        return index(of: delivery, word: UInt64(bitPattern: Int64(hasher.finalize())), isWhole: false)
    }

    /// - Parameter isWhole: whether `word` is the whole id, and not its hash.
    @inline(__always)
    private mutating func index(of delivery: Span<UInt8>, word: UInt64, isWhole: Bool) -> UInt32 {
        let length = UInt32(truncatingIfNeeded: delivery.count &+ 1)
        let mask = slots.count &- 1
        var slot = firstSlot(for: word)
        while slots[slot].length != 0 {
            if slots[slot].word == word && slots[slot].length == length {
                let index = slots[slot].index
                if isWhole || bytesEqual(delivery, at: index) { return index }
            }
            slot = (slot &+ 1) & mask
        }
        return insert(delivery, as: Slot(word: word, length: length, index: UInt32(ends.count)), at: slot)
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

    /// The slot at which the search for a word begins: the high bits of the product, which depend on all bytes of the
    /// word.
    @inline(__always)
    private func firstSlot(for word: UInt64) -> Int {
        Int(truncatingIfNeeded: (word &* multiplier) &>> shift)
    }

    private func bytesEqual(_ delivery: Span<UInt8>, at index: UInt32) -> Bool {
        delivery.withUnsafeBufferPointer { bytes[range(Int(index))].elementsEqual($0) }
    }

    @inline(never)
    private mutating func insert(_ delivery: Span<UInt8>, as new: Slot, at slot: Int) -> UInt32 {
        slots[slot] = new
        for offset in delivery.indices { bytes.append(delivery[offset]) }
        ends.append(bytes.count)
        guard ends.count * 2 > slots.count else { return new.index }
        let old = slots
        slots = Array(repeating: Slot(), count: old.count * 4)
        shift -= 2
        let mask = slots.count - 1
        for entry in old where entry.length != 0 {
            var slot = firstSlot(for: entry.word)
            while slots[slot].length != 0 { slot = (slot + 1) & mask }
            slots[slot] = entry
        }
        return new.index
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
        assert(Set(rank).count == rank.count)
        return (order.map { unique.text($0) }, unsorted.map { $0.map { rank[Int($0)] } })
    }
}
