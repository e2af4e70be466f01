/// The key of a row of a daily table, packed into two words.
package struct PackedKey: Equatable, Sendable {
    var high: UInt64
    var low: UInt64

    @inline(__always)
    init(high: UInt64, low: UInt64) {
        (self.high, self.low) = (high, low)
    }

    /// - Parameter number: of a day or an hour. Keys are sorted by it first, also where it lies before 1970.
    @inline(__always)
    init(_ number: Int32, _ rest: UInt32, low: UInt64) {
        self.init(high: UInt64(UInt32(bitPattern: number) ^ 1 << 31) << 32 | UInt64(rest), low: low)
    }

    @inline(__always)
    var number: Int32 { Int32(bitPattern: UInt32(high >> 32) ^ 1 << 31) }
    @inline(__always)
    var rest: UInt32 { UInt32(truncatingIfNeeded: high) }

    @inline(__always)
    var hash: Int {
        let mixed = (high ^ (low &* 0x9E37_79B9_7F4A_7C15)) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: mixed ^ (mixed >> 32))
    }

    @inline(__always)
    func precedes(_ other: PackedKey) -> Bool {
        high != other.high ? high < other.high : low < other.low
    }
}

/// The events that count, and the records that are duplicates.
package struct EventCounts: Equatable, Sendable {
    package var events: Int
    package var duplicates: Int

    package init(events: Int = 0, duplicates: Int = 0) {
        self.events = events
        self.duplicates = duplicates
    }

    @inline(__always)
    static func += (sum: inout EventCounts, counts: EventCounts) {
        sum.events &+= counts.events
        sum.duplicates &+= counts.duplicates
    }
}

extension PackedTable<EventCounts> {
    @inline(__always)
    mutating func add(_ counts: EventCounts, at key: PackedKey) {
        update(index(of: key, initial: EventCounts())) { $0 += counts }
    }
}

/// A hash table from packed keys to values. It uses open addressing and a dense array of entries. An update takes a few
/// nanoseconds.
struct PackedTable<Value: Sendable>: Sendable {
    struct Entry: Sendable {
        var key: PackedKey
        var value: Value
    }

    private(set) var entries: [Entry] = []
    /// Index in `entries` + 1, or 0 for a free slot. The number of slots is a power of two. At most half of them are
    /// used.
    private var slots: [UInt32] = Array(repeating: 0, count: 64)

    /// The index of a key's entry in `entries`. A missing entry is added with the value `initial`.
    @inline(__always)
    mutating func index(of key: PackedKey, initial: Value) -> Int {
        let slot = slot(of: key)
        return slots[slot] != 0 ? Int(slots[slot] &- 1) : insert(key, initial, slot: slot)
    }

    /// The slot of a key, or the free slot where it belongs.
    @inline(__always)
    private func slot(of key: PackedKey) -> Int {
        let mask = slots.count &- 1
        var slot = key.hash & mask
        while slots[slot] != 0, entries[Int(slots[slot] &- 1)].key != key { slot = (slot &+ 1) & mask }
        return slot
    }

    @inline(__always)
    mutating func update(_ index: Int, _ body: (inout Value) -> Void) {
        body(&entries[index].value)
    }

    @inline(never)
    private mutating func insert(_ key: PackedKey, _ value: Value, slot: Int) -> Int {
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
        for (index, entry) in entries.enumerated() {
            var slot = entry.key.hash & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = UInt32(index + 1)
        }
    }
}
