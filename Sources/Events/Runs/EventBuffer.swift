/// A growing buffer of events that keeps its memory when it is emptied. Appending to an array would check for every
/// event whether the array is uniquely referenced and has capacity left.
struct EventBuffer: Sendable {
    private static let filler = Event(
        id: EventID(high: 0, low: 0), time: 0, delivery: 0, source: 0, action: 0, platform: .unknown)

    private var storage: [Event] = []
    /// The events in use, at the front of `storage`.
    private(set) var count = 0

    var span: Span<Event> {
        @_lifetime(borrow self)
        borrowing get { storage.span.extracting(first: count) }
    }

    mutating func append(_ event: Event) {
        reserve(1)
        storage[count] = event
        count &+= 1
    }

    /// Appends events that were found in `bytes`. Their delivery ids get their numbers from `deliveries`.
    mutating func append(
        _ found: Span<FoundEvent>, in bytes: Span<UInt8>, source: UInt16, _ deliveries: inout DeliveryTable
    ) {
        reserve(found.count)
        let first = count
        count &+= found.count
        var storage = storage.mutableSpan
        for index in found.indices {
            let start = found[index].delivery
            let delivery = bytes.extracting(start..<start &+ Int(found[index].deliveryCount))
            storage[first &+ index] = Event(
                id: found[index].id, time: found[index].time, delivery: deliveries.index(of: delivery), source: source,
                action: found[index].action, platform: found[index].platform)
        }
    }

    /// Appends the events of compact items. Translates their delivery numbers by `renumbering`.
    mutating func append<Item: CompactItem>(_ items: Span<Item>, _ layout: DetailLayout, renumbering: [UInt32]?) {
        reserve(items.count)
        let first = count
        count &+= items.count
        var storage = storage.mutableSpan
        for index in items.indices {
            var event = items[index].event(layout)
            if let renumbering { event.delivery = renumbering[Int(event.delivery)] }
            storage[first &+ index] = event
        }
    }

    mutating func removeLast(_ events: Int) {
        precondition(events <= count)
        count -= events
    }

    mutating func removeAll() {
        count = 0
    }

    @inline(__always)
    private mutating func reserve(_ events: Int) {
        if count &+ events > storage.count { grow(events) }
    }

    @inline(never)
    private mutating func grow(_ events: Int) {
        storage += repeatElement(EventBuffer.filler, count: max(events, storage.count, 64))
    }
}
