/// Sorts events by (id, action) and joins the events of one (id, action) into a single event: the first of them by
/// (time, source, delivery, platform), with the records of all. It owns its scratch memory, so use one sorter for many
/// calls.
///
/// Each event has an item of 64 bits: from the top, the highest differing bits of its id, its action, and its index. A
/// radix sort by the top bits brings nearly all items into order, and an insertion sort does the rest. The events
/// themselves are rarely read. Ids that differ only in lower bits are sorted by comparison, so no input costs more than
/// n log n.
package struct EventSorter {
    /// The most bits of a digit of the radix sort.
    private static let maxDigitBits = 10

    private var items: [UInt64] = []
    private var scratch: [UInt64] = []
    private var layout = ItemLayout()
    /// Memory for a block of joined events, and the number of events in it.
    private var joined: [Event] = []
    private var joinedCount = 0

    /// The layout of an item.
    private struct ItemLayout {
        var actionShift = 0 as UInt64
        var idShift = 0 as UInt64
        var indexMask = 0 as UInt64
        /// Whether an item holds all differing bits of its id, so that equal bits mean equal ids.
        var isExact = true

        /// The index of the item's event.
        @inline(__always)
        func index(_ item: UInt64) -> Int { Int(truncatingIfNeeded: item & indexMask) }
    }

    package init() {}

    /// Sorts and joins `events`. Their ids must be above the ids of earlier calls.
    ///
    /// Calls `body` with the result in order, `EventBlock.capacity` events at a time. The rest follows in the next call
    /// or in `finish`. `deliveryPrecedes` orders delivery numbers by the bytes of their texts.
    package mutating func sortAndJoin<Failure: Error>(
        _ events: Span<Event>, deliveryPrecedes: (UInt32, UInt32) -> Bool,
        _ body: (Span<Event>) throws(Failure) -> Void
    ) throws(Failure) {
        guard events.count > 0 else { return }
        sortItems(events)
        if !layout.isExact { sortWithinKeys(events) }
        var position = 0
        while position < events.count {
            position = join(events, from: position, deliveryPrecedes)
            if joinedCount == EventBlock.capacity { try finish(body) }
        }
    }

    /// Calls `body` with the rest of the joined events, if any.
    package mutating func finish<Failure: Error>(_ body: (Span<Event>) throws(Failure) -> Void) throws(Failure) {
        guard joinedCount > 0 else { return }
        try body(joined.span.extracting(0..<joinedCount))
        joinedCount = 0
    }

    /// Joins the sorted events from a position on, until a block is full. Returns the position after them.
    private mutating func join(
        _ events: Span<Event>, from start: Int, _ deliveryPrecedes: (UInt32, UInt32) -> Bool
    ) -> Int {
        if joined.isEmpty { joined = Array(repeating: events[0], count: EventBlock.capacity) }
        var position = start
        var count = joinedCount
        let layout = layout
        items.withUnsafeBufferPointer { items in
            joined.withUnsafeMutableBufferPointer { joined in
                // `position` stays below the number of events, which is at most the number of items. `count` stays
                // below the capacity.
                while position < events.count && count < EventBlock.capacity {
                    let key = items[position] &>> layout.actionShift
                    joined[count] = events[layout.index(items[position])]
                    position &+= 1
                    while position < events.count && items[position] &>> layout.actionShift == key {
                        let event = events[layout.index(items[position])]
                        guard layout.isExact || event.id == joined[count].id else { break }
                        let records = joined[count].records &+ event.records
                        if event.precedesOther(joined[count], deliveryPrecedes) { joined[count] = event }
                        joined[count].records = records
                        position &+= 1
                    }
                    count &+= 1
                }
            }
        }
        joinedCount = count
        return position
    }

    /// Makes the items of `events`, at the front of `items`, and sorts them.
    private mutating func sortItems(_ events: Span<Event>) {
        let count = events.count
        let range = IDRange(events)
        var actions = 0 as UInt16
        for index in events.indices { actions |= events[index].action }
        let indexBits = bitWidth(of: UInt64(count))
        let actionBits = bitWidth(of: UInt64(actions))
        let idBits = min(range.bits, 64 - indexBits - actionBits)
        layout = ItemLayout(
            actionShift: UInt64(indexBits), idShift: UInt64(indexBits + actionBits),
            indexMask: (1 &<< UInt64(indexBits)) - 1,
            isExact: idBits == range.bits && range.shift == 0)
        if items.count < count {
            items = Array(repeating: 0, count: count)
            scratch = items
        }
        let droppedBits = UInt64(range.bits - idBits)
        let layout = layout
        items.withUnsafeMutableBufferPointer { items in
            for index in events.indices {
                items[index] =
                    (range.key(events[index].id) &>> droppedBits) &<< layout.idShift
                    | UInt64(events[index].action) &<< layout.actionShift | UInt64(truncatingIfNeeded: index)
            }
        }
        // Enough bits that few evenly distributed ids share them.
        let sortedBits = min(idBits + actionBits, indexBits + actionBits + 4)
        let lowest = indexBits + idBits + actionBits - sortedBits
        let passes = (sortedBits + EventSorter.maxDigitBits - 1) / EventSorter.maxDigitBits
        for pass in 0..<passes {
            let from = sortedBits * pass / passes
            radixPass(
                shift: UInt64(lowest + from), bits: sortedBits * (pass + 1) / passes - from, count: count)
        }
        guard lowest > indexBits else { return }
        items.withUnsafeMutableBufferPointer {
            RadixSort.sortNeighbours(UnsafeMutableBufferPointer(rebasing: $0[..<count]), precedes: <)
        }
    }

    /// Sorts the first `count` items by the digit of `bits` bits above `shift`.
    private mutating func radixPass(shift: UInt64, bits: Int, count: Int) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 1 << bits) { starts in
            starts.initialize(repeating: 0)
            let mask = UInt64(starts.count - 1)
            items.withUnsafeMutableBufferPointer { items in
                scratch.withUnsafeMutableBufferPointer { scratch in
                    for index in 0..<count {
                        starts[Int(truncatingIfNeeded: (items[index] &>> shift) & mask)] &+= 1
                    }
                    RadixSort.turnIntoStarts(starts)
                    RadixSort.scatter(items, count, to: scratch, starts) {
                        Int(truncatingIfNeeded: ($0 &>> shift) & mask)
                    }
                }
            }
        }
        swap(&items, &scratch)
    }

    /// Sorts events whose items have the same bits of the id, although their ids differ.
    private mutating func sortWithinKeys(_ events: Span<Event>) {
        let layout = layout
        let count = events.count
        @inline(__always)
        func event(_ item: UInt64) -> Event { events[layout.index(item)] }
        items.withUnsafeMutableBufferPointer { items in
            var start = 0
            while start < count {
                let key = items[start] &>> layout.idShift
                let id = event(items[start]).id
                var end = start &+ 1
                var differ = false
                while end < count && items[end] &>> layout.idShift == key {
                    if event(items[end]).id != id { differ = true }
                    end &+= 1
                }
                if differ {
                    items[start..<end].sort { a, b in
                        let (x, y) = (event(a), event(b))
                        return x.id != y.id ? x.id < y.id : x.action < y.action
                    }
                }
                start = end
            }
        }
    }
}

extension Event {
    /// The order of a partition among events of one id and action: by time, source, delivery id and platform.
    @inline(__always)
    fileprivate func precedesOther(_ other: Event, _ deliveryPrecedes: (UInt32, UInt32) -> Bool) -> Bool {
        if time != other.time { return time < other.time }
        // Delivery numbers do not compare as their texts do.
        let isBefore = delivery != other.delivery && deliveryPrecedes(delivery, other.delivery)
        let isBehind = delivery != other.delivery && !isBefore
        return rank(delivery: isBehind ? 1 : 0) < other.rank(delivery: isBefore ? 1 : 0)
    }

    private func rank(delivery: UInt32) -> EventRank {
        EventRank(time: time, source: source, delivery: delivery, platform: platform)
    }
}
