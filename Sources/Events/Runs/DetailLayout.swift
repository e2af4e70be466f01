/// The layout of the details of one buffer.
struct DetailLayout: Sendable {
    private let minTime: Int64
    private let timeBits: UInt64
    private let actionShift: UInt64
    private let sourceShift: UInt64
    private let deliveryShift: UInt64

    /// Nil if not all details fit one word each, or an event has several records. `events` must not be empty. Delivery
    /// numbers are below 2^30, so the detail without the time always fits a word.
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
