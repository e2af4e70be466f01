extension PackedTable<EventCounts> {
    @inline(__always)
    mutating func add(_ counts: EventCounts, at key: PackedKey) {
        update(at: index(of: key, initial: EventCounts())) { $0 += counts }
    }
}

/// A hash table from packed keys to values. It uses open addressing and a dense array of entries. An update takes a few
/// nanoseconds.
///
/// Anybody can send hits with deliveries, days and actions of their choice. So that nobody can choose keys which meet
/// in one slot, each table has a hash function of its own.
struct PackedTable<Value: Sendable>: Sendable {
    struct Entry: Sendable {
        var key: PackedKey
        var value: Value
    }

    private(set) var entries: [Entry] = []
    /// Index in `entries` + 1, or 0 for a free slot. The number of slots is 2^(64 - `shift`). At most half of them are
    /// used.
    private var slots: [UInt32] = Array(repeating: 0, count: 64)
    private var shift: UInt64 = 58
    /// Odd numbers at random. Whatever two keys are, they share a slot with a probability of at most 2 / `slots.count`.
    private let multipliers = (UInt64.random(in: .min ... .max) | 1, UInt64.random(in: .min ... .max) | 1)

    /// The index of a key's entry in `entries`. A missing entry is added with the value `initial`.
    @inline(__always)
    mutating func index(of key: PackedKey, initial: Value) -> Int {
        let slot = slot(of: key)
        return slots[slot] != 0 ? Int(slots[slot] &- 1) : insert(key, value: initial, slot: slot)
    }

    /// The slot at which the search for a key begins: the high bits of the sum, which depend on all bits of the key.
    @inline(__always)
    private func firstSlot(for key: PackedKey) -> Int {
        Int(truncatingIfNeeded: (key.high &* multipliers.0 &+ key.low &* multipliers.1) &>> shift)
    }

    /// The slot of a key, or the free slot where it belongs.
    @inline(__always)
    private func slot(of key: PackedKey) -> Int {
        let mask = slots.count &- 1
        var slot = firstSlot(for: key)
        while slots[slot] != 0, entries[Int(slots[slot] &- 1)].key != key { slot = (slot &+ 1) & mask }
        return slot
    }

    @inline(__always)
    mutating func update(at index: Int, _ body: (inout Value) -> Void) {
        body(&entries[index].value)
    }

    @inline(never)
    private mutating func insert(_ key: PackedKey, value: Value, slot: Int) -> Int {
        assert(slots[slot] == 0 && slots.count & (slots.count - 1) == 0)
        entries.append(Entry(key: key, value: value))
        slots[slot] = UInt32(entries.count)
        if entries.count * 2 > slots.count { grow() }
        return entries.count - 1
    }

    /// Reserves space for `count` rows.
    mutating func reserveCapacity(_ count: Int) {
        entries.reserveCapacity(count)
        while slots.count < 2 * count { grow() }
    }

    /// The entries, sorted by key.
    var sortedEntries: [Entry] {
        // Tables that were read from bytes are mostly sorted already.
        let isSorted = zip(entries, entries.dropFirst()).allSatisfy { $0.key.precedes($1.key) }
        return isSorted ? entries : entries.sorted { $0.key.precedes($1.key) }
    }

    private mutating func grow() {
        let mask = slots.count * 4 - 1
        slots = Array(repeating: 0, count: mask + 1)
        shift -= 2
        for (index, entry) in entries.enumerated() {
            var slot = firstSlot(for: entry.key)
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = UInt32(index + 1)
        }
    }
}
