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

    /// Sorts events, which have one record each, by `order`. `events` must not be empty.
    init(_ events: Span<Event>, sortedBy order: inout EventOrder) {
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

    /// The index of the first event whose id is not below `lower`, or `count`.
    func index(notBefore lower: EventID) -> Int {
        firstIndex(in: 0..<count) { id(at: $0) < lower }
    }

    /// Appends the events from `start` on with ids below `upper`; nil is no bound. Translates their delivery numbers by
    /// `renumbering`. Returns the index after the last appended event.
    func append(
        from start: Int, until upper: EventID?, renumbering: [UInt32]?, to window: inout [Event]
    ) -> Int {
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

    private func id(at index: Int) -> EventID {
        switch items {
        case .short(let items): items[index].id(layout)
        case .wide(let items): items[index].id(layout)
        case .whole(let items): items[index].id(layout)
        }
    }
}
