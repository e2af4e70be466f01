/// Events one behind the other, in room that is kept when they are gone. An array would ask at each event whether it is
/// the only owner of its room, and whether there is some left.
struct EventBuffer: Sendable {
    private static let none = Event(
        id: EventID(high: 0, low: 0), time: 0, delivery: 0, source: 0, action: 0, platform: .unknown)

    private var room: [Event] = []
    private(set) var count = 0

    var span: Span<Event> {
        @_lifetime(borrow self)
        borrowing get { room.span.extracting(first: count) }
    }

    mutating func append(_ event: Event) {
        makeRoom(1)
        room[count] = event
        count &+= 1
    }

    /// Appends what was found in `bytes`.
    mutating func append(
        _ found: Span<FoundEvent>, in bytes: Span<UInt8>, source: UInt16, _ deliveries: inout DeliveryTable
    ) {
        makeRoom(found.count)
        let first = count
        count &+= found.count
        var room = room.mutableSpan
        for index in found.indices {
            let start = found[index].delivery
            let delivery = bytes.extracting(start..<start &+ Int(found[index].deliveryCount))
            room[first &+ index] = Event(
                id: found[index].id, time: found[index].time, delivery: deliveries.index(of: delivery), source: source,
                action: found[index].action, platform: found[index].platform)
        }
    }

    /// Appends the events of items, their deliveries renumbered.
    mutating func append<Item: CompactItem>(_ items: Span<Item>, _ layout: DetailLayout, renumbering: [UInt32]?) {
        makeRoom(items.count)
        let first = count
        count &+= items.count
        var room = room.mutableSpan
        for index in items.indices {
            var event = items[index].event(layout)
            if let renumbering { event.delivery = renumbering[Int(event.delivery)] }
            room[first &+ index] = event
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
    private mutating func makeRoom(_ events: Int) {
        if count &+ events > room.count { grow(events) }
    }

    @inline(never)
    private mutating func grow(_ events: Int) {
        room += repeatElement(EventBuffer.none, count: max(events, room.count, 64))
    }
}
