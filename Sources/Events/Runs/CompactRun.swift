/// The events of one buffer, sorted by id only and not joined. It is faster to make and to read than blocks. It exists
/// only in memory, and takes up to three times as many bytes. It is a class, because mergers on several threads would
/// otherwise count references to its parts.
final class CompactRun: Sendable {
    enum Items: Sendable {
        case short([ShortItem])
        case wide([WideItem])
        case full([FullItem])
    }

    /// The events per entry of `starts`.
    private static let startEvents = 128

    let layout: DetailLayout
    let items: Items
    let count: Int

    init(layout: DetailLayout, items: Items, count: Int) {
        self.layout = layout
        self.items = items
        self.count = count
    }

    /// The bytes of the items.
    var memory: Int {
        switch items {
        case .short: count * MemoryLayout<ShortItem>.stride
        case .wide: count * MemoryLayout<WideItem>.stride
        case .full: count * MemoryLayout<FullItem>.stride
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
        from start: Int, until upper: EventID?, renumbering: [UInt32]?, to window: inout EventBuffer
    ) -> Int {
        switch items {
        case .short(let items): append(items, start, upper, renumbering, &window)
        case .wide(let items): append(items, start, upper, renumbering, &window)
        case .full(let items): append(items, start, upper, renumbering, &window)
        }
    }

    private func append<Item: CompactItem>(
        _ items: [Item], _ start: Int, _ upper: EventID?, _ renumbering: [UInt32]?, _ window: inout EventBuffer
    ) -> Int {
        let items = items.span
        var end = upper == nil ? count : start
        if let upper {
            while end < count && items[end].id(layout) < upper { end &+= 1 }
        }
        window.append(items.extracting(start..<end), layout, renumbering: renumbering)
        return end
    }

    private func id(at index: Int) -> EventID {
        switch items {
        case .short(let items): items[index].id(layout)
        case .wide(let items): items[index].id(layout)
        case .full(let items): items[index].id(layout)
        }
    }
}
