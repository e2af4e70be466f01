/// Sorts events by (id, action, time, source, delivery, platform) and joins those of one (id, action) into the first,
/// which takes over the others' records. Holds its scratch, so that the same one should serve many times.
///
/// Many events are first dealt out, by the top bits in which their ids differ, to groups that fit the cache. In a group
/// a radix sort over the next bits brings nearly all of them in order, and comparing neighbours does the rest. Ids that
/// agree in those bits are sorted by comparison, so no shape of ids costs more than n log n.
package struct EventSorter {
    private struct Item {
        var key: UInt64
        var index: UInt32
    }

    /// Events of a group, roughly: with their items they stay in the second cache level.
    private static let groupEvents = 2048
    /// So many at most are not dealt out first: what is read at random still fits the second level.
    private static let undealtEvents = 4 * groupEvents
    /// Bits of a digit of the radix sort.
    private static let digit = 8
    /// Runs of equal keys up to this length are put in order by insertion.
    private static let insertionLimit = 24

    private var items: [Item] = []
    private var other: [Item] = []
    private var grouped: [Event] = []
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
        if events.count <= EventSorter.undealtEvents {
            try sortGroup(events, deliveryPrecedes, body)
        } else {
            let ends = deal(events)
            // Taken out, so that it can be read while the rest of the scratch is written.
            var groups: [Event] = []
            swap(&groups, &grouped)
            defer { swap(&groups, &grouped) }
            let span = groups.span
            var start = 0
            for end in ends where end > start {
                try sortGroup(span.extracting(start..<end), deliveryPrecedes, body)
                start = end
            }
        }
    }

    /// Hands over what is left.
    package mutating func finish<Failure: Error>(_ body: (Span<Event>) throws(Failure) -> Void) throws(Failure) {
        guard joinedCount > 0 else { return }
        try body(joined.span.extracting(0..<joinedCount))
        joinedCount = 0
    }

    /// The bits in which ids differ: their difference to the lowest, shifted so that it fits 64 bits.
    private struct KeyRange {
        let lowest: EventID
        let shift: Int
        /// Bits of the largest key.
        let bits: Int

        init(_ events: Span<Event>) {
            var lowest = events[0].id
            var highest = lowest
            for index in events.indices {
                let id = events[index].id
                if id < lowest { lowest = id }
                if highest < id { highest = id }
            }
            let spread = highest.difference(to: lowest)
            self.lowest = lowest
            shift = bitWidth(of: spread.high)
            bits = bitWidth(of: spread.shifted(by: shift))
        }

        @inline(__always)
        func key(_ id: EventID) -> UInt64 { id.difference(to: lowest).shifted(by: shift) }
    }

    /// Fills `grouped` with the events, group after group, ids of a group before those of the next; answers their ends.
    private mutating func deal(_ events: Span<Event>) -> [Int] {
        let range = KeyRange(events)
        let groupBits = min(range.bits, bitWidth(of: UInt64(events.count / EventSorter.groupEvents)), 12)
        let drop = UInt64(range.bits - groupBits)
        var places = [Int](repeating: 0, count: 1 << groupBits)
        for index in events.indices { places[Int(range.key(events[index].id) &>> drop)] &+= 1 }
        var sum = 0
        for group in places.indices {
            let count = places[group]
            places[group] = sum
            sum += count
        }
        if grouped.count < events.count {
            grouped = Array(repeating: events[0], count: events.count)
        }
        grouped.withUnsafeMutableBufferPointer { grouped in
            // The counts above bound every place by the number of events, which fit.
            for index in events.indices {
                let event = events[index]
                let group = Int(range.key(event.id) &>> drop)
                grouped[places[group]] = event
                places[group] &+= 1
            }
        }
        return places
    }

    private mutating func sortGroup<Failure: Error>(
        _ events: Span<Event>, _ deliveryPrecedes: (UInt32, UInt32) -> Bool,
        _ body: (Span<Event>) throws(Failure) -> Void
    ) throws(Failure) {
        makeItems(events)
        orderEqualKeys(events, deliveryPrecedes)
        // Of the group before this one all is joined: ids of two groups never meet.
        var position = 0
        while position < events.count {
            position = join(events, from: position)
            if joinedCount == EventBlock.capacity { try finish(body) }
        }
    }

    /// Joins the sorted events from a position on until a block is full; answers the next position.
    private mutating func join(_ events: Span<Event>, from start: Int) -> Int {
        if joined.isEmpty { joined = Array(repeating: events[0], count: EventBlock.capacity) }
        var position = start
        var count = joinedCount
        items.withUnsafeBufferPointer { items in
            joined.withUnsafeMutableBufferPointer { joined in
                // `position` stays below the number of events, of which each has an item, and `count` below the capacity.
                while position < events.count && count < EventBlock.capacity {
                    var current = events[Int(items[position].index)]
                    position &+= 1
                    while position < events.count {
                        let event = events[Int(items[position].index)]
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
    private mutating func makeItems(_ events: Span<Event>) {
        let range = KeyRange(events)
        // Enough digits that few of evenly spread ids fall together.
        let wanted = min(range.bits, bitWidth(of: UInt64(events.count)) + 4)
        let passes = (wanted + EventSorter.digit - 1) / EventSorter.digit
        let lowest = UInt64(max(0, range.bits - passes * EventSorter.digit))
        if items.count < events.count {
            items = Array(repeating: Item(key: 0, index: 0), count: events.count)
            other = items
        }
        items.withUnsafeMutableBufferPointer { items in
            for index in events.indices {
                items[index] = Item(
                    key: range.key(events[index].id) &>> lowest, index: UInt32(truncatingIfNeeded: index))
            }
        }
        for pass in 0..<passes { radixPass(shift: UInt64(pass * EventSorter.digit), count: events.count) }
    }

    private mutating func radixPass(shift: UInt64, count: Int) {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 1 << EventSorter.digit) { starts in
            starts.initialize(repeating: 0)
            let mask = UInt64(starts.count - 1)
            items.withUnsafeBufferPointer { items in
                other.withUnsafeMutableBufferPointer { other in
                    // Every index is a digit under `mask`, or a place that the counts bound by `count`, which both
                    // arrays have.
                    for index in 0..<count {
                        starts[Int(truncatingIfNeeded: (items[index].key &>> shift) & mask)] &+= 1
                    }
                    var sum = 0
                    for digit in starts.indices {
                        let size = starts[digit]
                        starts[digit] = sum
                        sum &+= size
                    }
                    for index in 0..<count {
                        let digit = Int(truncatingIfNeeded: (items[index].key &>> shift) & mask)
                        other[starts[digit]] = items[index]
                        starts[digit] &+= 1
                    }
                }
            }
        }
        swap(&items, &other)
    }

    private mutating func orderEqualKeys(_ events: Span<Event>, _ deliveryPrecedes: (UInt32, UInt32) -> Bool) {
        @inline(__always)
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
        let count = events.count
        items.withUnsafeMutableBufferPointer { items in
            var start = 0
            while start < count {
                var end = start &+ 1
                while end < count && items[end].key == items[start].key { end &+= 1 }
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

extension EventID {
    @inline(__always)
    fileprivate func difference(to lower: EventID) -> EventID {
        let (low, borrow) = low.subtractingReportingOverflow(lower.low)
        return EventID(high: high &- lower.high &- (borrow ? 1 : 0), low: low)
    }

    /// The low 64 bits, shifted right by 0 to 64 bits.
    @inline(__always)
    fileprivate func shifted(by shift: Int) -> UInt64 {
        if shift == 0 { return low }
        if shift == 64 { return high }
        return high &<< UInt64(64 &- shift) | low &>> UInt64(shift)
    }
}
