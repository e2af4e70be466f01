/// Two words that hold the parts of a row's key side by side.
struct PackedKey: Equatable, Sendable {
    var high: UInt64
    var low: UInt64

    @inline(__always)
    var hash: Int {
        let mixed = (high ^ (low &* 0x9E37_79B9_7F4A_7C15)) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: mixed ^ (mixed >> 32))
    }
}

/// A hash table from packed keys to sums: open addressing over dense entries, a few nanoseconds an update.
struct PackedTable<Value: Sendable>: Sendable {
    struct Entry: Sendable {
        var key: PackedKey
        var value: Value
    }

    private(set) var entries: [Entry] = []
    /// Place in `entries` + 1, or 0 for a free slot; the size is a power of two, at most half of it taken.
    private var slots: [UInt32] = Array(repeating: 0, count: 64)

    /// The place in `entries` of a key's entry, made with `initial` if there is none.
    @inline(__always)
    mutating func place(of key: PackedKey, initial: Value) -> Int {
        let mask = slots.count &- 1
        var slot = key.hash & mask
        while slots[slot] != 0 {
            let place = Int(slots[slot] &- 1)
            if entries[place].key == key { return place }
            slot = (slot &+ 1) & mask
        }
        return insert(key, initial, slot: slot)
    }

    /// The place of a key's entry; nil if there is none.
    @inline(__always)
    func place(of key: PackedKey) -> Int? {
        let mask = slots.count &- 1
        var slot = key.hash & mask
        while slots[slot] != 0 {
            let place = Int(slots[slot] &- 1)
            if entries[place].key == key { return place }
            slot = (slot &+ 1) & mask
        }
        return nil
    }

    @inline(__always)
    mutating func update(_ place: Int, _ body: (inout Value) -> Void) {
        body(&entries[place].value)
    }

    @inline(never)
    private mutating func insert(_ key: PackedKey, _ value: Value, slot: Int) -> Int {
        entries.append(Entry(key: key, value: value))
        slots[slot] = UInt32(entries.count)
        if entries.count * 2 > slots.count { grow() }
        return entries.count - 1
    }

    private mutating func grow() {
        let mask = slots.count * 4 - 1
        slots = Array(repeating: 0, count: mask + 1)
        for (place, entry) in entries.enumerated() {
            var slot = entry.key.hash & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = UInt32(place + 1)
        }
    }
}
