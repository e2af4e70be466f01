/// The layout of compact items (see CompactItem.swift) for the events of one buffer.
struct DetailLayout: Sendable {
    let minTime: Int64
    private let timeBits: UInt64
    // The shifts of the fields within the detail without its time.
    private let actionShift: UInt64
    private let sourceShift: UInt64
    private let deliveryShift: UInt64
    /// Whether the time and the other fields fit one word together.
    let fitsOneWord: Bool
    /// Whether any id uses its high word.
    let isWide: Bool
    /// Whether an id fits 32 bits as a difference to the lowest id.
    var isShort: Bool { !isWide && ids.bits <= 32 }
    let ids: IDRange

    /// `events` must not be empty. Delivery numbers are below 2^30, so the fields without the time always fit a word.
    init(_ events: Span<Event>) {
        var lowest = events[0].id
        var highest = lowest
        var earliest = events[0].time
        var latest = earliest
        var (actions, sources, deliveries) = (0 as UInt16, 0 as UInt16, 0 as UInt32)
        for index in events.indices {
            let id = events[index].id
            if id < lowest { lowest = id }
            if highest < id { highest = id }
            earliest = min(earliest, events[index].time)
            latest = max(latest, events[index].time)
            actions |= events[index].action
            sources |= events[index].source
            deliveries |= events[index].delivery
        }
        ids = IDRange(lowest, highest)
        isWide = highest.high != 0
        minTime = earliest
        timeBits = UInt64(bitWidth(of: UInt64(bitPattern: latest &- earliest)))
        actionShift = 2
        sourceShift = actionShift + UInt64(bitWidth(of: UInt64(actions)))
        deliveryShift = sourceShift + UInt64(bitWidth(of: UInt64(sources)))
        fitsOneWord = timeBits + deliveryShift + UInt64(bitWidth(of: UInt64(deliveries))) <= 64
    }

    /// The time since `minTime`.
    @inline(__always)
    func time(_ event: Event) -> UInt64 {
        UInt64(bitPattern: event.time &- minTime)
    }

    /// The fields other than the time.
    @inline(__always)
    func others(_ event: Event) -> UInt64 {
        UInt64(event.platform.rawValue) | UInt64(event.action) &<< actionShift | UInt64(event.source) &<< sourceShift
            | UInt64(event.delivery) &<< deliveryShift
    }

    /// The whole detail in one word; requires `fitsOneWord`.
    @inline(__always)
    func word(_ event: Event) -> UInt64 {
        time(event) | others(event) &<< timeBits
    }

    @inline(__always)
    func event(_ id: EventID, time: UInt64, others: UInt64) -> Event {
        func field(_ from: UInt64, _ to: UInt64) -> UInt64 { (others &>> from) & ~(~0 &<< (to &- from)) }
        return Event(
            id: id, time: minTime &+ Int64(bitPattern: time),
            delivery: UInt32(truncatingIfNeeded: others &>> deliveryShift),
            source: UInt16(truncatingIfNeeded: field(sourceShift, deliveryShift)),
            action: UInt16(truncatingIfNeeded: field(actionShift, sourceShift)),
            platform: Platform(rawValue: UInt8(truncatingIfNeeded: others & 3)) ?? .unknown)
    }

    @inline(__always)
    func event(_ id: EventID, word: UInt64) -> Event {
        event(id, time: word & ~(~0 &<< timeBits), others: word &>> timeBits)
    }
}
