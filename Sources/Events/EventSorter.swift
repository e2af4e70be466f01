/// Sorts events by (id, action, time, source, delivery, platform) and joins those of one (id, action) into the first,
/// which takes over the others' records. Holds its scratch, so that the same one should serve many times.
///
/// Two or three passes of a least-significant-digit radix sort over the top bits in which the ids differ bring nearly
/// all of them in order; comparing neighbours does the rest. A run of many ids that agree in those bits is sorted by
/// comparison, so no shape of ids costs more than n log n.
package struct EventSorter {
    private struct Item {
        var key: UInt64
        var index: UInt32
    }

    /// Bits of a digit.
    private static let digit = 11
    /// Runs of equal radix keys up to this length are put in order by insertion.
    private static let insertionLimit = 24

    private var items: [Item] = []
    private var other: [Item] = []
    private var joined: [Event] = []

    package init() {}

    /// Hands the joined events to `body` in order, at most `EventBlock.capacity` at a time. `deliveryPrecedes` orders
    /// delivery numbers by their texts.
    package mutating func sortAndJoin<Failure: Error>(
        _ events: Span<Event>, deliveryPrecedes: (UInt32, UInt32) -> Bool,
        _ body: (Span<Event>) throws(Failure) -> Void
    ) throws(Failure) {
        guard events.count > 0 else { return }
        makeItems(events)
        orderEqualKeys(events, deliveryPrecedes)
        joined.removeAll(keepingCapacity: true)
        var current = events[Int(items[0].index)]
        for position in 1..<max(1, items.count) {
            let event = events[Int(items[position].index)]
            if event.id == current.id && event.action == current.action {
                current.records &+= event.records
            } else {
                joined.append(current)
                if joined.count == EventBlock.capacity {
                    try body(joined.span)
                    joined.removeAll(keepingCapacity: true)
                }
                current = event
            }
        }
        joined.append(current)
        try body(joined.span)
    }

    /// Fills `items` sorted by the top bits of the ids.
    private mutating func makeItems(_ events: Span<Event>) {
        var minID = events[0].id
        var maxID = minID
        for index in events.indices {
            let id = events[index].id
            if id < minID { minID = id }
            if maxID < id { maxID = id }
        }
        // The highest 64 bits in which the ids differ, as a 128-bit difference shifted down.
        let spread = EventSorter.difference(maxID, minID)
        let shift = spread.high == 0 ? 0 : bitWidth(of: spread.high)
        let top = EventSorter.shifted(spread, by: shift)
        let bits = bitWidth(of: top)

        items.removeAll(keepingCapacity: true)
        items.reserveCapacity(events.count)
        for index in events.indices {
            let key = EventSorter.shifted(EventSorter.difference(events[index].id, minID), by: shift)
            items.append(Item(key: key, index: UInt32(truncatingIfNeeded: index)))
        }
        // Enough digits that few of n evenly spread ids fall together.
        let wanted = bitWidth(of: UInt64(events.count)) + 3
        let passes = (min(bits, wanted) + EventSorter.digit - 1) / EventSorter.digit
        guard passes > 0 else { return }
        let lowest = max(0, bits - passes * EventSorter.digit)
        for pass in 0..<passes { radixPass(shift: UInt64(lowest + pass * EventSorter.digit)) }
        if lowest > 0 {
            // The low bits took no part: what compares equal so far is put in order below.
            for index in items.indices { items[index].key &>>= UInt64(lowest) }
        }
    }

    private mutating func radixPass(shift: UInt64) {
        let size = 1 << EventSorter.digit
        let mask = UInt64(size - 1)
        if other.count < items.count {
            other = Array(repeating: Item(key: 0, index: 0), count: items.count)
        } else if other.count > items.count {
            other.removeLast(other.count - items.count)
        }
        withUnsafeTemporaryAllocation(of: Int.self, capacity: size) { starts in
            starts.initialize(repeating: 0)
            // Every index below is a digit under `mask`, or a position that the counts below bound by `items.count`.
            items.withUnsafeBufferPointer { from in
                for item in from { starts[Int(truncatingIfNeeded: (item.key &>> shift) & mask)] &+= 1 }
                var sum = 0
                for digit in 0..<size {
                    let count = starts[digit]
                    starts[digit] = sum
                    sum &+= count
                }
                other.withUnsafeMutableBufferPointer { to in
                    for item in from {
                        let digit = Int(truncatingIfNeeded: (item.key &>> shift) & mask)
                        to[starts[digit]] = item
                        starts[digit] &+= 1
                    }
                }
            }
        }
        swap(&items, &other)
    }

    private mutating func orderEqualKeys(_ events: Span<Event>, _ deliveryPrecedes: (UInt32, UInt32) -> Bool) {
        func precedes(_ a: Item, _ b: Item) -> Bool {
            let x = events[Int(a.index)]
            let y = events[Int(b.index)]
            if x.id != y.id { return x.id < y.id }
            if x.action != y.action { return x.action < y.action }
            if x.time != y.time { return x.time < y.time }
            if x.source != y.source { return x.source < y.source }
            if x.delivery != y.delivery { return deliveryPrecedes(x.delivery, y.delivery) }
            return x.platform.rawValue < y.platform.rawValue
        }
        var start = 0
        while start < items.count {
            var end = start &+ 1
            while end < items.count && items[end].key == items[start].key { end &+= 1 }
            if end &- start > EventSorter.insertionLimit {
                items[start..<end].sort(by: precedes)
            } else if end &- start > 1 {
                for position in (start &+ 1)..<end {
                    let item = items[position]
                    var hole = position
                    while hole > start && precedes(item, items[hole &- 1]) {
                        items[hole] = items[hole &- 1]
                        hole &-= 1
                    }
                    items[hole] = item
                }
            }
            start = end
        }
    }

    @inline(__always)
    private static func difference(_ a: EventID, _ b: EventID) -> EventID {
        let (low, borrow) = a.low.subtractingReportingOverflow(b.low)
        return EventID(high: a.high &- b.high &- (borrow ? 1 : 0), low: low)
    }

    /// The low 64 bits of `id` shifted right by 0 to 64 bits.
    @inline(__always)
    private static func shifted(_ id: EventID, by shift: Int) -> UInt64 {
        if shift == 0 { return id.low }
        if shift == 64 { return id.high }
        return id.high &<< UInt64(64 &- shift) | id.low &>> UInt64(shift)
    }
}
