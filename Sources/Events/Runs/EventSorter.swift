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
