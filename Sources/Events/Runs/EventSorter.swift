/// Sorts events by (id, action) and joins those of one (id, action) into the first of them by (time, source, delivery,
/// platform), which takes over the others' records. Holds its scratch, so that the same one should serve many times.
///
/// Every event has an item of 64 bits: the top bits in which the ids differ, then the action, then the event's place. A
/// radix sort over the topmost bits brings nearly all items in order, and comparing neighbours does the rest, so the
/// events themselves are hardly looked at. Ids that differ only below those bits are sorted by comparison, so no shape of
/// ids costs more than n log n.
package struct EventSorter {
    /// Most bits of a digit of the radix sort.
    private static let widestDigit = 10
    /// Moves an item that putting neighbours in order may take, before all are sorted by comparison.
    private static let movesPerItem = 8

    private var items: [UInt64] = []
    private var other: [UInt64] = []
    private var shape = ItemShape()
    /// Room for a block of joined events, and how many of them there are.
    private var joined: [Event] = []
    private var joinedCount = 0

    /// Where the parts of an item lie.
    private struct ItemShape {
        var actionShift = 0 as UInt64
        var idShift = 0 as UInt64
        var places = 0 as UInt64
        /// Whether items of one key are of one id, for certain.
        var isExact = true

        @inline(__always)
        func place(_ item: UInt64) -> Int { Int(truncatingIfNeeded: item & places) }
    }

    package init() {}

    /// Sorts and joins `events`, whose ids must be above those of the events before, if there were any. Hands the result
    /// to `body` in order, `EventBlock.capacity` at a time; what is left comes with the next events or with `finish`.
    /// `deliveryPrecedes` orders delivery numbers by their texts.
    package mutating func sortAndJoin<Failure: Error>(
        _ events: Span<Event>, deliveryPrecedes: (UInt32, UInt32) -> Bool,
        _ body: (Span<Event>) throws(Failure) -> Void
    ) throws(Failure) {
        guard events.count > 0 else { return }
        sortItems(events)
        if !shape.isExact { sortWithinKeys(events) }
        var position = 0
        while position < events.count {
            position = join(events, from: position, deliveryPrecedes)
            if joinedCount == EventBlock.capacity { try finish(body) }
        }
    }

    /// Hands over what is left.
    package mutating func finish<Failure: Error>(_ body: (Span<Event>) throws(Failure) -> Void) throws(Failure) {
        guard joinedCount > 0 else { return }
        try body(joined.span.extracting(0..<joinedCount))
        joinedCount = 0
    }

    /// Joins the sorted events from a position on until a block is full; answers the next position.
    private mutating func join(
        _ events: Span<Event>, from start: Int, _ deliveryPrecedes: (UInt32, UInt32) -> Bool
    ) -> Int {
        if joined.isEmpty { joined = Array(repeating: events[0], count: EventBlock.capacity) }
        var position = start
        var count = joinedCount
        let shape = shape
        items.withUnsafeBufferPointer { items in
            joined.withUnsafeMutableBufferPointer { joined in
                // `position` stays below the number of events, of which each has an item, and `count` below the capacity.
                while position < events.count && count < EventBlock.capacity {
                    let key = items[position] &>> shape.actionShift
                    joined[count] = events[shape.place(items[position])]
                    position &+= 1
                    while position < events.count && items[position] &>> shape.actionShift == key {
                        let event = events[shape.place(items[position])]
                        guard shape.isExact || event.id == joined[count].id else { break }
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

    /// Fills the first of `items`, and sorts them.
    private mutating func sortItems(_ events: Span<Event>) {
        let count = events.count
        let range = IDRange(events)
        var actions = 0 as UInt16
        for index in events.indices { actions |= events[index].action }
        let placeBits = bitWidth(of: UInt64(count))
        let actionBits = bitWidth(of: UInt64(actions))
        let idBits = min(range.bits, 64 - placeBits - actionBits)
        shape = ItemShape(
            actionShift: UInt64(placeBits), idShift: UInt64(placeBits + actionBits),
            places: (1 &<< UInt64(placeBits)) - 1,
            isExact: idBits == range.bits && range.shift == 0)
        if items.count < count {
            items = Array(repeating: 0, count: count)
            other = items
        }
        let cut = UInt64(range.bits - idBits)
        let shape = shape
        items.withUnsafeMutableBufferPointer { items in
            for index in events.indices {
                items[index] =
                    (range.key(events[index].id) &>> cut) &<< shape.idShift
                    | UInt64(events[index].action) &<< shape.actionShift | UInt64(truncatingIfNeeded: index)
            }
        }
        // Enough bits that few of evenly spread ids fall together.
        let wanted = min(idBits + actionBits, placeBits + actionBits + 4)
        let lowest = placeBits + idBits + actionBits - wanted
        let passes = (wanted + EventSorter.widestDigit - 1) / EventSorter.widestDigit
        for pass in 0..<passes {
            let from = wanted * pass / passes
            radixPass(
                shift: UInt64(lowest + from), bits: wanted * (pass + 1) / passes - from, count: count)
        }
        if lowest > placeBits { orderNeighbours(count) }
    }

    private mutating func radixPass(shift: UInt64, bits: Int, count: Int) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 1 << bits) { starts in
            starts.initialize(repeating: 0)
            let mask = UInt64(starts.count - 1)
            items.withUnsafeBufferPointer { items in
                other.withUnsafeMutableBufferPointer { other in
                    // Every index is a digit under `mask`, or a place that the counts bound by `count`, which both
                    // arrays have.
                    for index in 0..<count {
                        starts[Int(truncatingIfNeeded: (items[index] &>> shift) & mask)] &+= 1
                    }
                    var sum = 0 as UInt32
                    for digit in starts.indices {
                        let size = starts[digit]
                        starts[digit] = sum
                        sum &+= size
                    }
                    for index in 0..<count {
                        let digit = Int(truncatingIfNeeded: (items[index] &>> shift) & mask)
                        other[Int(starts[digit])] = items[index]
                        starts[digit] &+= 1
                    }
                }
            }
        }
        swap(&items, &other)
    }

    private mutating func orderNeighbours(_ count: Int) {
        var movesLeft = EventSorter.movesPerItem * count
        items.withUnsafeMutableBufferPointer { items in
            for index in 1..<max(1, count) where items[index] < items[index &- 1] {
                let item = items[index]
                var hole = index
                while hole > 0 && item < items[hole &- 1] {
                    items[hole] = items[hole &- 1]
                    hole &-= 1
                }
                items[hole] = item
                movesLeft &-= index &- hole
                guard movesLeft > 0 else { return items[..<count].sort() }
            }
        }
    }

    /// Puts events in order whose ids agree in all bits of the items, and differ below.
    private mutating func sortWithinKeys(_ events: Span<Event>) {
        let shape = shape
        let count = events.count
        @inline(__always)
        func event(_ item: UInt64) -> Event { events[shape.place(item)] }
        items.withUnsafeMutableBufferPointer { items in
            var start = 0
            while start < count {
                let key = items[start] &>> shape.idShift
                let id = event(items[start]).id
                var end = start &+ 1
                var differ = false
                while end < count && items[end] &>> shape.idShift == key {
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
    /// Whether it comes before another event of the same id and action.
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
