/// The layout of compact items (see CompactItem.swift) for the events of one buffer.
struct DetailLayout: Sendable {
    private let minTime: Int64
    private let timeBits: UInt64
    private let actionShift: UInt64
    private let sourceShift: UInt64
    private let deliveryShift: UInt64
    /// Whether the detail fits one word.
    let fitsOneWord: Bool
    /// Whether no id uses its high word, and each fits 32 bits as a difference to the lowest id.
    let isShort: Bool
    let lowest: EventID

    /// `events` must not be empty, and their ids are in `ids`. Delivery numbers are below 2^30, so the detail without the
    /// time always fits a word.
    init(_ events: Span<Event>, _ ids: IDRange) {
        var (earliest, latest) = (events[0].time, events[0].time)
        var (actions, sources, deliveries) = (0 as UInt16, 0 as UInt16, 0 as UInt32)
        var high = 0 as UInt64
        for index in events.indices {
            earliest = min(earliest, events[index].time)
            latest = max(latest, events[index].time)
            actions |= events[index].action
            sources |= events[index].source
            deliveries |= events[index].delivery
            high |= events[index].id.high
        }
        lowest = ids.lowest
        isShort = high == 0 && ids.bits <= 32
        minTime = earliest
        timeBits = UInt64(bitWidth(of: UInt64(bitPattern: latest &- earliest)))
        actionShift = timeBits + 2
        sourceShift = actionShift + UInt64(bitWidth(of: UInt64(actions)))
        deliveryShift = sourceShift + UInt64(bitWidth(of: UInt64(sources)))
        // Fewer than 64 bits, so that every shift is below 64.
        fitsOneWord = deliveryShift + UInt64(bitWidth(of: UInt64(deliveries))) < 64
    }

    /// The detail of an event; requires `fitsOneWord`.
    @inline(__always)
    func word(_ event: Event) -> UInt64 {
        UInt64(bitPattern: event.time &- minTime) | UInt64(event.platform.rawValue) &<< timeBits
            | UInt64(event.action) &<< actionShift | UInt64(event.source) &<< sourceShift
            | UInt64(event.delivery) &<< deliveryShift
    }

    @inline(__always)
    func event(_ id: EventID, _ detail: UInt64) -> Event {
        func field(_ from: UInt64, _ to: UInt64) -> UInt64 { (detail &>> from) & ~(~0 &<< (to &- from)) }
        return Event(
            id: id, time: minTime &+ Int64(bitPattern: field(0, timeBits)),
            delivery: UInt32(truncatingIfNeeded: detail &>> deliveryShift),
            source: UInt16(truncatingIfNeeded: field(sourceShift, deliveryShift)),
            action: UInt16(truncatingIfNeeded: field(actionShift, sourceShift)),
            platform: Platform(rawValue: UInt8(truncatingIfNeeded: (detail &>> timeBits) & 3)) ?? .unknown)
    }
}
