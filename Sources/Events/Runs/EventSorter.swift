/// Sorts events by (id, action) and joins the events of one (id, action) into a single event: the first of them by
/// `EventRank`, with the records of all. It owns its scratch memory, so use one sorter for many calls.
struct EventSorter {
    private var order = EventOrder()
    /// Memory for a block of joined events, and the number of events in it.
    private var joined: [Event] = []
    private var joinedCount = 0

    /// Sorts and joins `events`, whose ids are in `ids`. They must be above the ids of earlier calls.
    ///
    /// Calls `body` with the result in order, `EventBlock.capacity` events at a time. The rest follows in the next call
    /// or in `finish`. `deliveryPrecedes` orders delivery numbers by the bytes of their texts.
    mutating func sortAndJoin<Failure: Error>(
        _ events: Span<Event>, ids: IDRange, deliveryPrecedes: (UInt32, UInt32) -> Bool,
        body: (Span<Event>) throws(Failure) -> Void
    ) throws(Failure) {
        assert(joinedCount == 0 || joined[joinedCount - 1].id < ids.lowest)
        order.sort(events, ids: ids)
        var position = 0
        while position < events.count {
            position = join(events, from: position, deliveryPrecedes: deliveryPrecedes)
            if joinedCount == EventBlock.capacity { try finish(body) }
        }
    }

    /// Calls `body` with the rest of the joined events, if any.
    mutating func finish<Failure: Error>(_ body: (Span<Event>) throws(Failure) -> Void) throws(Failure) {
        guard joinedCount > 0 else { return }
        assert(joined.span.extracting(0..<joinedCount).isSorted)
        try body(joined.span.extracting(0..<joinedCount))
        joinedCount = 0
    }

    /// Joins the sorted events from a position on, until a block is full. Returns the position after them.
    private mutating func join(
        _ events: Span<Event>, from start: Int, deliveryPrecedes: (UInt32, UInt32) -> Bool
    ) -> Int {
        if joined.isEmpty { joined = Array(repeating: events[0], count: EventBlock.capacity) }
        var position = start
        var count = joinedCount
        let layout = order.layout
        order.items.withUnsafeBufferPointer { items in
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
                        if event.precedes(joined[count], deliveryPrecedes: deliveryPrecedes) { joined[count] = event }
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
}

extension Event {
    /// Whether it ranks before another event of the same id and action.
    @inline(__always)
    fileprivate func precedes(_ other: Event, deliveryPrecedes: (UInt32, UInt32) -> Bool) -> Bool {
        if time != other.time { return time < other.time }
        // Delivery numbers do not compare as their texts do.
        let isBefore = delivery != other.delivery && deliveryPrecedes(delivery, other.delivery)
        let isAfter = delivery != other.delivery && !isBefore
        return rank(delivery: isAfter ? 1 : 0) < other.rank(delivery: isBefore ? 1 : 0)
    }

    private func rank(delivery: UInt32) -> EventRank {
        EventRank(time: time, source: source, delivery: delivery, platform: platform, action: action)
    }
}

/// Sorts events by (id, action) without moving them. It owns its scratch memory, so use one for many calls.
///
/// Each event has an item of 64 bits: from the top, the highest differing bits of its id, its action, and its index. A
/// radix sort by the top bits brings nearly all items into order, and an insertion sort does the rest. The events
/// themselves are rarely read. Ids that differ only in lower bits are sorted by comparison, so no input costs more than
/// n log n.
struct EventOrder {
    /// The most bits of a digit of the radix sort.
    private static let maxDigitBits = 11
    /// The moves per item that the insertion sort may take before it gives way to a sort by comparison.
    private static let movesPerItem = 8

    /// The sorted items of the last call, at the front.
    private(set) var items: [UInt64] = []
    private var scratch: [UInt64] = []
    private(set) var layout = Layout()

    /// The layout of an item.
    struct Layout {
        var actionShift = 0 as UInt64
        var idShift = 0 as UInt64
        var indexMask = 0 as UInt64
        /// Whether an item holds all differing bits of its id, so that equal bits mean equal ids.
        var isExact = true

        /// The index of the item's event.
        @inline(__always)
        func index(_ item: UInt64) -> Int { Int(truncatingIfNeeded: item & indexMask) }
    }

    /// Sorts `events`, which must not be empty, and whose ids are in `ids`.
    mutating func sort(_ events: Span<Event>, ids: IDRange) {
        assert(events.count > 0)
        let count = events.count
        var actions = 0 as UInt16
        for index in events.indices { actions |= events[index].action }
        let indexBits = bitWidth(of: UInt64(count))
        let actionBits = bitWidth(of: UInt64(actions))
        let idBits = min(ids.bits, 64 - indexBits - actionBits)
        layout = Layout(
            actionShift: UInt64(indexBits), idShift: UInt64(indexBits + actionBits),
            indexMask: (1 &<< UInt64(indexBits)) - 1, isExact: idBits == ids.bits && ids.shift == 0)
        if items.count < count {
            items = Array(repeating: 0, count: count)
            scratch = items
        }
        let droppedBits = UInt64(ids.bits - idBits)
        let layout = layout
        items.withUnsafeMutableBufferPointer { items in
            for index in events.indices {
                items[index] =
                    (ids.key(events[index].id) &>> droppedBits) &<< layout.idShift
                    | UInt64(events[index].action) &<< layout.actionShift | UInt64(truncatingIfNeeded: index)
            }
        }
        // Enough bits that few evenly distributed ids share them.
        let sortedBits = min(idBits + actionBits, indexBits + actionBits + 3)
        let lowest = indexBits + idBits + actionBits - sortedBits
        let passes = (sortedBits + EventOrder.maxDigitBits - 1) / EventOrder.maxDigitBits
        for pass in 0..<passes {
            let from = sortedBits * pass / passes
            radixPass(shift: UInt64(lowest + from), bits: sortedBits * (pass + 1) / passes - from, count: count)
        }
        if lowest > indexBits { sortNeighbours(count) }
        if !layout.isExact { sortWithinKeys(events) }
    }

    /// The events of the last call, in order.
    func sorted(_ events: Span<Event>) -> [Event] { events.indices.map { events[layout.index(items[$0])] } }

    /// Sorts the first `count` items by the digit of `bits` bits above `shift`. Items of the same digit keep their order.
    private mutating func radixPass(shift: UInt64, bits: Int, count: Int) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 1 << bits) { starts in
            // First the number of items of each digit, then the index at which they begin. The numbers add up to `count`, so
            // every index is within the buffers.
            starts.initialize(repeating: 0)
            let mask = UInt64(starts.count - 1)
            items.withUnsafeMutableBufferPointer { items in
                scratch.withUnsafeMutableBufferPointer { scratch in
                    for index in 0..<count {
                        starts[Int(truncatingIfNeeded: (items[index] &>> shift) & mask)] &+= 1
                    }
                    var sum = 0 as UInt32
                    for digit in starts.indices { (starts[digit], sum) = (sum, sum &+ starts[digit]) }
                    for index in 0..<count {
                        let digit = Int(truncatingIfNeeded: (items[index] &>> shift) & mask)
                        scratch[Int(starts[digit])] = items[index]
                        starts[digit] &+= 1
                    }
                }
            }
        }
        swap(&items, &scratch)
    }

    /// Sorts the first `count` items, which are nearly in order.
    private mutating func sortNeighbours(_ count: Int) {
        var movesLeft = EventOrder.movesPerItem * count
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
                        let x = event(a)
                        let y = event(b)
                        return x.id != y.id ? x.id < y.id : x.action < y.action
                    }
                }
                start = end
            }
        }
    }
}

/// Maps ids to keys of 64 bits: the difference to the lowest id, shifted right until it fits.
struct IDRange: Sendable {
    let lowest: EventID
    /// The number of low bits that a key drops; 0 if the keys are exact.
    let shift: Int
    /// The number of bits of the largest key.
    let bits: Int

    /// `events` must not be empty.
    init(_ events: Span<Event>) {
        var lowest = events[0].id
        var highest = events[0].id
        for index in events.indices {
            lowest = min(lowest, events[index].id)
            highest = max(highest, events[index].id)
        }
        self.init(lowest: lowest, highest: highest)
    }

    init(lowest: EventID, highest: EventID) {
        let width = 128 - (highest.number &- lowest.number).leadingZeroBitCount
        self.lowest = lowest
        shift = max(0, width - 64)
        bits = width - shift
    }

    /// The key of an id. A higher id never has a lower key.
    @inline(__always)
    func key(_ id: EventID) -> UInt64 {
        guard shift > 0 else { return id.low &- lowest.low }
        return UInt64(truncatingIfNeeded: (id.number &- lowest.number) &>> UInt128(truncatingIfNeeded: shift))
    }
}
