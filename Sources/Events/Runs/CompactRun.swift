/// An event of one record in 24 bytes: its id, and its detail in one word.
///
/// The detail is, from the lowest bit: the time since the earliest time of the buffer, the platform, the action, the
/// source and the delivery. Each field has as many bits as its largest value in the buffer needs. Example: 32 bits of
/// time, 2 of platform, 3 of action, 1 of source and 12 of delivery are 50 bits.
struct CompactEvent: BitwiseCopyable, Sendable {
    let id: EventID
    fileprivate let detail: UInt64
}

/// The events of one buffer, sorted and not joined. It is faster to make and to read than blocks. It exists
/// only in memory, and takes up to six times as many bytes. It is a class, because mergers on several threads would
/// otherwise count references to its parts.
final class CompactRun: Sendable {
    private let layout: DetailLayout
    let events: [CompactEvent]

    /// - Parameter order: that of `events`.
    init(_ events: Span<Event>, order: borrowing EventOrder, layout: DetailLayout) {
        self.layout = layout
        let sorted = order.items.span
        let places = order.layout
        var compact: [CompactEvent] = []
        compact.append(addingCapacity: events.count) { output in
            for index in events.indices {
                let event = events[places.index(sorted[index])]
                output.append(CompactEvent(id: event.id, detail: layout.word(event)))
            }
        }
        self.events = compact
        assert(zip(compact, compact.dropFirst()).allSatisfy { $0.id <= $1.id })
    }

    /// Appends the events from `start` on with ids below `upper`; nil is no bound. Translates their delivery numbers by
    /// `renumbering`. Returns the index after the last appended event.
    func append(from start: Int, until upper: EventID?, renumbering: [UInt32]?, to window: inout [Event]) -> Int {
        let all = self.events
        let events = all.span
        var end = upper == nil ? events.count : start
        if let upper {
            while end < events.count && events[end].id < upper { end &+= 1 }
        }
        window.append(addingCapacity: end - start) { output in
            for index in start..<end {
                var event = layout.event(events[index].id, detail: events[index].detail)
                if let renumbering { event.delivery = renumbering[Int(event.delivery)] }
                output.append(event)
            }
        }
        return end
    }
}

/// The layout of the details of one buffer.
struct DetailLayout: Sendable {
    private let minTime: Int64
    private let timeBits: UInt64
    private let actionShift: UInt64
    private let sourceShift: UInt64
    private let deliveryShift: UInt64

    /// Nil if not all details fit one word each, or an event has several records. `events` must not be empty. Delivery numbers
    /// are below 2^30, so the detail without the time always fits a word.
    init?(_ events: Span<Event>) {
        var earliest = events[0].time
        var latest = events[0].time
        var actions: UInt16 = 0
        var sources: UInt16 = 0
        var deliveries: UInt32 = 0
        var extraRecords = 0 as UInt32
        for index in events.indices {
            earliest = min(earliest, events[index].time)
            latest = max(latest, events[index].time)
            actions |= events[index].action
            sources |= events[index].source
            deliveries |= events[index].delivery
            extraRecords |= events[index].records &- 1
        }
        minTime = earliest
        timeBits = UInt64(bitWidth(of: UInt64(bitPattern: latest &- earliest)))
        actionShift = timeBits + 2
        sourceShift = actionShift + UInt64(bitWidth(of: UInt64(actions)))
        deliveryShift = sourceShift + UInt64(bitWidth(of: UInt64(sources)))
        // Fewer than 64 bits, so that every shift is below 64.
        guard extraRecords == 0, deliveryShift + UInt64(bitWidth(of: UInt64(deliveries))) < 64 else { return nil }
    }

    /// The detail of an event.
    @inline(__always)
    func word(_ event: Event) -> UInt64 {
        UInt64(bitPattern: event.time &- minTime) | UInt64(event.platform.rawValue) &<< timeBits
            | UInt64(event.action) &<< actionShift | UInt64(event.source) &<< sourceShift
            | UInt64(event.delivery) &<< deliveryShift
    }

    @inline(__always)
    func event(_ id: EventID, detail: UInt64) -> Event {
        func field(from: UInt64, to: UInt64) -> UInt64 { (detail &>> from) & ~(~0 &<< (to &- from)) }
        return Event(
            id: id, time: minTime &+ Int64(bitPattern: field(from: 0, to: timeBits)),
            delivery: UInt32(truncatingIfNeeded: detail &>> deliveryShift),
            source: UInt16(truncatingIfNeeded: field(from: sourceShift, to: deliveryShift)),
            action: UInt16(truncatingIfNeeded: field(from: actionShift, to: sourceShift)),
            platform: Platform(rawValue: UInt8(truncatingIfNeeded: (detail &>> timeBits) & 3)) ?? .unknown)
    }
}
