// An event of one record in 12 to 32 bytes: its id, and the rest in one word or two.
//
//   Short    low - lowest        detail          hexadecimal ids that lie within 2^32 of one another, as a month's do
//   Narrow   low                 detail          other hexadecimal ids
//   Wide     high, low           detail          UUIDs and digests
//   Full     high, low           time, others    whatever does not fit
//
// A detail word has, from its lowest bit on, the time above the earliest one of the buffer, the platform, the action, the
// source and the delivery, each in as many bits as the largest of the buffer needs: 32 bits of time, 2, 3, 1 and 12
// make 50.

/// Where the parts of a detail lie, for the events of one buffer.
struct DetailLayout: Sendable {
    let minTime: Int64
    private let timeBits: UInt64
    private let actionShift: UInt64
    private let sourceShift: UInt64
    private let deliveryShift: UInt64
    /// Whether time and the others share one word.
    let fitsOneWord: Bool
    /// Whether an id has more than 64 bits.
    let isWide: Bool
    /// Whether 32 bits tell the ids apart.
    var isShort: Bool { !isWide && ids.bits <= 32 }
    let ids: IDRange

    /// `events` is not empty; they have less than 2^30 deliveries, so the others always fit a word.
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

    @inline(__always)
    func time(_ event: Event) -> UInt64 {
        UInt64(bitPattern: event.time &- minTime)
    }

    @inline(__always)
    func others(_ event: Event) -> UInt64 {
        UInt64(event.platform.rawValue) | UInt64(event.action) &<< actionShift | UInt64(event.source) &<< sourceShift
            | UInt64(event.delivery) &<< deliveryShift
    }

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

protocol CompactItem: BitwiseCopyable, Sendable {
    init(_ event: Event, _ layout: DetailLayout)
    func id(_ layout: DetailLayout) -> EventID
    func event(_ layout: DetailLayout) -> Event
    /// The id's key in the layout's range.
    func key(_ layout: DetailLayout) -> UInt64
    /// Whether its id is the lower one of two of the same layout.
    func precedes(_ other: Self) -> Bool
}

struct ShortItem: CompactItem {
    private let offset: UInt32
    // In halves, since a word would have the item begin at a multiple of 8.
    private let detailLow: UInt32
    private let detailHigh: UInt32

    @inline(__always)
    init(_ event: Event, _ layout: DetailLayout) {
        offset = UInt32(truncatingIfNeeded: event.id.low &- layout.ids.lowest.low)
        let detail = layout.word(event)
        detailLow = UInt32(truncatingIfNeeded: detail)
        detailHigh = UInt32(truncatingIfNeeded: detail >> 32)
    }

    @inline(__always)
    func id(_ layout: DetailLayout) -> EventID { EventID(high: 0, low: layout.ids.lowest.low &+ UInt64(offset)) }

    @inline(__always)
    func event(_ layout: DetailLayout) -> Event {
        layout.event(id(layout), word: UInt64(detailHigh) << 32 | UInt64(detailLow))
    }

    @inline(__always)
    func key(_ layout: DetailLayout) -> UInt64 { UInt64(offset) }

    @inline(__always)
    func precedes(_ other: ShortItem) -> Bool { offset < other.offset }
}

struct NarrowItem: CompactItem {
    private let low: UInt64
    private let detail: UInt64

    @inline(__always)
    init(_ event: Event, _ layout: DetailLayout) {
        low = event.id.low
        detail = layout.word(event)
    }

    @inline(__always)
    func id(_ layout: DetailLayout) -> EventID { EventID(high: 0, low: low) }

    @inline(__always)
    func event(_ layout: DetailLayout) -> Event { layout.event(id(layout), word: detail) }

    @inline(__always)
    func key(_ layout: DetailLayout) -> UInt64 { low &- layout.ids.lowest.low }

    @inline(__always)
    func precedes(_ other: NarrowItem) -> Bool { low < other.low }
}

struct WideItem: CompactItem {
    private let id: EventID
    private let detail: UInt64

    @inline(__always)
    init(_ event: Event, _ layout: DetailLayout) {
        id = event.id
        detail = layout.word(event)
    }

    @inline(__always)
    func id(_ layout: DetailLayout) -> EventID { id }

    @inline(__always)
    func event(_ layout: DetailLayout) -> Event { layout.event(id, word: detail) }

    @inline(__always)
    func key(_ layout: DetailLayout) -> UInt64 { layout.ids.key(id) }

    @inline(__always)
    func precedes(_ other: WideItem) -> Bool { id < other.id }
}

struct FullItem: CompactItem {
    private let id: EventID
    private let time: UInt64
    private let others: UInt64

    @inline(__always)
    init(_ event: Event, _ layout: DetailLayout) {
        id = event.id
        time = layout.time(event)
        others = layout.others(event)
    }

    @inline(__always)
    func id(_ layout: DetailLayout) -> EventID { id }

    @inline(__always)
    func event(_ layout: DetailLayout) -> Event { layout.event(id, time: time, others: others) }

    @inline(__always)
    func key(_ layout: DetailLayout) -> UInt64 { layout.ids.key(id) }

    @inline(__always)
    func precedes(_ other: FullItem) -> Bool { id < other.id }
}
