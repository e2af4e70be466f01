/// Sorts events by (id, action, time, source, delivery, platform) and joins those of one (id, action) into the first,
/// which takes over the others' records. Holds its scratch, so that the same one should serve many times.
///
/// A radix sort over the top bits in which the ids differ brings nearly all in order, and comparing neighbours does the
/// rest. Ids that agree in those bits are sorted by comparison, so no shape of ids costs more than n log n.
package struct EventSorter {
    /// Most bits of a digit of the radix sort.
    private static let widestDigit = 10
    /// Runs of equal keys up to this length are put in order by insertion.
    private static let insertionLimit = 24

    /// A key each, and below it, in `indexBits`, the place of its event.
    private var items: [UInt64] = []
    private var other: [UInt64] = []
    private var indexBits = 0 as UInt64
    /// Room for a block of joined events, and how many of them there are.
    private var joined: [Event] = []
    private var joinedCount = 0

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
        orderEqualKeys(events, deliveryPrecedes)
        var position = 0
        while position < events.count {
            position = join(events, from: position)
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
    private mutating func join(_ events: Span<Event>, from start: Int) -> Int {
        if joined.isEmpty { joined = Array(repeating: events[0], count: EventBlock.capacity) }
        var position = start
        var count = joinedCount
        let places = ~(~0 &<< indexBits) as UInt64
        items.withUnsafeBufferPointer { items in
            joined.withUnsafeMutableBufferPointer { joined in
                // `position` stays below the number of events, of which each has an item, and `count` below the capacity.
                while position < events.count && count < EventBlock.capacity {
                    var current = events[Int(truncatingIfNeeded: items[position] & places)]
                    position &+= 1
                    while position < events.count {
                        let event = events[Int(truncatingIfNeeded: items[position] & places)]
                        guard event.id == current.id && event.action == current.action else { break }
                        current.records &+= event.records
                        position &+= 1
                    }
                    joined[count] = current
                    count &+= 1
                }
            }
        }
        joinedCount = count
        return position
    }

    /// Fills the first of `items`, sorted by the top bits of the ids.
    private mutating func sortItems(_ events: Span<Event>) {
        let range = IDRange(events)
        let count = events.count
        indexBits = UInt64(bitWidth(of: UInt64(count)))
        // Enough bits that few of evenly spread ids fall together; the index leaves room for them.
        let wanted = min(range.bits, Int(indexBits) + 4)
        let passes = (wanted + EventSorter.widestDigit - 1) / EventSorter.widestDigit
        let lowest = UInt64(range.bits - wanted)
        if items.count < count {
            items = Array(repeating: 0, count: count)
            other = items
        }
        items.withUnsafeMutableBufferPointer { items in
            for index in events.indices {
                let key = range.key(events[index].id) &>> lowest
                items[index] = key &<< indexBits | UInt64(truncatingIfNeeded: index)
            }
        }
        for pass in 0..<passes {
            let from = wanted * pass / passes
            radixPass(shift: indexBits + UInt64(from), bits: wanted * (pass + 1) / passes - from, count: count)
        }
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

    private mutating func orderEqualKeys(_ events: Span<Event>, _ deliveryPrecedes: (UInt32, UInt32) -> Bool) {
        let indexBits = indexBits
        @inline(__always)
        func event(_ item: UInt64) -> Event { events[Int(truncatingIfNeeded: item & ~(~0 &<< indexBits))] }
        @inline(__always)
        func precedes(_ a: UInt64, _ b: UInt64) -> Bool {
            let x = event(a)
            let y = event(b)
            if x.id != y.id { return x.id.precedes(y.id) }
            if x.action != y.action { return x.action < y.action }
            if x.time != y.time { return x.time < y.time }
            if x.source != y.source { return x.source < y.source }
            if x.delivery != y.delivery { return deliveryPrecedes(x.delivery, y.delivery) }
            return x.platform.rawValue < y.platform.rawValue
        }
        let count = events.count
        items.withUnsafeMutableBufferPointer { items in
            var start = 0
            while start < count {
                let key = items[start] &>> indexBits
                var end = start &+ 1
                while end < count && items[end] &>> indexBits == key { end &+= 1 }
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
    }
}
