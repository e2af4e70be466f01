// A compact item is an event of one record in as few bytes as its buffer allows: its id, and its detail in one word.
//
//   type     bytes  id                 used for
//   Short       12  low - lowest       hexadecimal ids within 2^32 of each other, as the ids of a month are
//   Wide        24  high, low          other hexadecimal ids, UUIDs and digests
//   Event       40  high, low          buffers with times far apart, so that details do not fit one word, or with events of
//                                      several records
//
// The detail is, from the lowest bit: the time since the earliest time of the buffer, the platform, the action, the
// source and the delivery. Each field has as many bits as its largest value in the buffer needs. Example: 32 bits of
// time, 2 of platform, 3 of action, 1 of source and 12 of delivery are 50 bits.

/// The events of one buffer, sorted and not joined. It is faster to make and to read than blocks. It exists
/// only in memory, and takes up to three times as many bytes. It is a class, because mergers on several threads would
/// otherwise count references to its parts.
final class CompactRun: Sendable {
    enum Items: Sendable {
        case short([ShortItem])
        case wide([WideItem])
        case whole([Event])
    }

    /// The events per entry of `starts`.
    private static let startEvents = 128

    let layout: DetailLayout
    let items: Items
    let count: Int

    /// Sorts events by `order`. `events` must not be empty.
    init(_ events: Span<Event>, sortedBy order: inout EventOrder) {
        assert(events.count > 0)
        let ids = IDRange(events)
        order.sort(events, ids)
        layout = DetailLayout(events, ids)
        count = events.count
        items =
            if !layout.fitsOneWord {
                .whole(CompactRun.items(events, order, layout))
            } else if layout.isShort {
                .short(CompactRun.items(events, order, layout))
            } else {
                .wide(CompactRun.items(events, order, layout))
            }
        assert((1..<count).allSatisfy { id(at: $0 - 1) <= id(at: $0) })
    }

    private static func items<Item: CompactItem>(
        _ events: Span<Event>, _ order: borrowing EventOrder, _ layout: DetailLayout
    ) -> [Item] {
        let (sorted, places) = (order.items.span, order.layout)
        var items: [Item] = []
        items.append(addingCapacity: events.count) { output in
            for index in events.indices { output.append(Item(events[places.index(sorted[index])], layout)) }
        }
        return items
    }

    /// The bytes of the items.
    var memory: Int {
        switch items {
        case .short: count * MemoryLayout<ShortItem>.stride
        case .wide: count * MemoryLayout<WideItem>.stride
        case .whole: count * MemoryLayout<Event>.stride
        }
    }

    /// Sorted ids, and the number of events from each id to the next. They serve to cut runs into pieces.
    var starts: [(id: EventID, count: Int)] {
        stride(from: 0, to: count, by: CompactRun.startEvents).map {
            (id(at: $0), min(CompactRun.startEvents, count - $0))
        }
    }

    /// Appends the events from `start` on with ids below `upper`; nil is no bound. Translates their delivery numbers by
    /// `renumbering`. Returns the index after the last appended event.
    func append(from start: Int, until upper: EventID?, renumbering: [UInt32]?, to window: inout [Event]) -> Int {
        switch items {
        case .short(let items): append(items, start, upper, renumbering, &window)
        case .wide(let items): append(items, start, upper, renumbering, &window)
        case .whole(let items): append(items, start, upper, renumbering, &window)
        }
    }

    private func append<Item: CompactItem>(
        _ items: [Item], _ start: Int, _ upper: EventID?, _ renumbering: [UInt32]?, _ window: inout [Event]
    ) -> Int {
        let items = items.span
        var end = upper == nil ? count : start
        if let upper {
            while end < count && items[end].id(layout) < upper { end &+= 1 }
        }
        window.append(addingCapacity: end - start) { output in
            for index in start..<end {
                var event = items[index].event(layout)
                if let renumbering { event.delivery = renumbering[Int(event.delivery)] }
                output.append(event)
            }
        }
        return end
    }

    func id(at index: Int) -> EventID {
        switch items {
        case .short(let items): items[index].id(layout)
        case .wide(let items): items[index].id(layout)
        case .whole(let items): items[index].id(layout)
        }
    }
}

/// An event in a compact run.
protocol CompactItem: BitwiseCopyable, Sendable {
    init(_ event: Event, _ layout: DetailLayout)
    func id(_ layout: DetailLayout) -> EventID
    func event(_ layout: DetailLayout) -> Event
}

extension Event: CompactItem {
    @inline(__always)
    init(_ event: Event, _ layout: DetailLayout) { self = event }

    @inline(__always)
    func id(_ layout: DetailLayout) -> EventID { id }

    @inline(__always)
    func event(_ layout: DetailLayout) -> Event { self }
}

/// An event with a hexadecimal id that is less than 2^32 above the lowest id; 12 bytes.
struct ShortItem: CompactItem {
    /// The id minus the lowest id.
    private let offset: UInt32
    // Two halves of the detail, because a word would align the item to 8 bytes.
    private let detailLow: UInt32
    private let detailHigh: UInt32

    @inline(__always)
    init(_ event: Event, _ layout: DetailLayout) {
        offset = UInt32(truncatingIfNeeded: event.id.low &- layout.lowest.low)
        let detail = layout.word(event)
        detailLow = UInt32(truncatingIfNeeded: detail)
        detailHigh = UInt32(truncatingIfNeeded: detail >> 32)
    }

    @inline(__always)
    func id(_ layout: DetailLayout) -> EventID { EventID(high: 0, low: layout.lowest.low &+ UInt64(offset)) }

    @inline(__always)
    func event(_ layout: DetailLayout) -> Event {
        layout.event(id(layout), UInt64(detailHigh) << 32 | UInt64(detailLow))
    }
}

/// An event with a 128-bit id; 24 bytes.
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
    func event(_ layout: DetailLayout) -> Event { layout.event(id, detail) }
}

/// The layout of compact items for the events of one buffer.
struct DetailLayout: Sendable {
    private let minTime: Int64
    private let timeBits: UInt64
    private let actionShift: UInt64
    private let sourceShift: UInt64
    private let deliveryShift: UInt64
    /// Whether the detail fits one word, and all events have one record.
    let fitsOneWord: Bool
    /// Whether no id uses its high word, and each fits 32 bits as a difference to the lowest id.
    let isShort: Bool
    let lowest: EventID

    /// `events` must not be empty, and their ids are in `ids`. Delivery numbers are below 2^30, so the detail without the
    /// time always fits a word.
    init(_ events: Span<Event>, _ ids: IDRange) {
        var (earliest, latest) = (events[0].time, events[0].time)
        var (actions, sources, deliveries) = (0 as UInt16, 0 as UInt16, 0 as UInt32)
        var (high, extraRecords) = (0 as UInt64, 0 as UInt32)
        for index in events.indices {
            earliest = min(earliest, events[index].time)
            latest = max(latest, events[index].time)
            actions |= events[index].action
            sources |= events[index].source
            deliveries |= events[index].delivery
            high |= events[index].id.high
            extraRecords |= events[index].records &- 1
        }
        lowest = ids.lowest
        isShort = high == 0 && ids.bits <= 32
        minTime = earliest
        timeBits = UInt64(bitWidth(of: UInt64(bitPattern: latest &- earliest)))
        actionShift = timeBits + 2
        sourceShift = actionShift + UInt64(bitWidth(of: UInt64(actions)))
        deliveryShift = sourceShift + UInt64(bitWidth(of: UInt64(sources)))
        // Fewer than 64 bits, so that every shift is below 64.
        fitsOneWord = extraRecords == 0 && deliveryShift + UInt64(bitWidth(of: UInt64(deliveries))) < 64
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
