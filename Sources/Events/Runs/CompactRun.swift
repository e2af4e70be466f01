/// The events of one buffer, sorted by id alone, none joined: quicker to make and to take from than blocks, but in memory
/// only, and up to three times as large. A class, since all who merge would count references to its parts otherwise.
final class CompactRun: Sendable {
    enum Items: Sendable {
        case short([ShortItem])
        case narrow([NarrowItem])
        case wide([WideItem])
        case full([FullItem])
    }

    /// Every so many events their id is told to those who cut a run into pieces.
    private static let startEvents = 128

    let layout: DetailLayout
    let items: Items
    let count: Int

    init(layout: DetailLayout, items: Items, count: Int) {
        self.layout = layout
        self.items = items
        self.count = count
    }

    /// Bytes of the events.
    var memory: Int {
        switch items {
        case .short: count * MemoryLayout<ShortItem>.stride
        case .narrow: count * MemoryLayout<NarrowItem>.stride
        case .wide: count * MemoryLayout<WideItem>.stride
        case .full: count * MemoryLayout<FullItem>.stride
        }
    }

    /// The ids at which some hundred events begin, and how many; sorted.
    var starts: [(id: EventID, count: Int)] {
        stride(from: 0, to: count, by: CompactRun.startEvents).map {
            (id(at: $0), min(CompactRun.startEvents, count - $0))
        }
    }

    /// The place of the first event with an id from `lower` on; `count` if there is none.
    func place(of lower: EventID) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if id(at: middle) < lower { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Appends the events from `place` on with ids below `upper`, their deliveries renumbered; answers the place behind.
    func append(
        from place: Int, until upper: EventID?, renumbering: [UInt32]?, to window: inout EventBuffer
    ) -> Int {
        switch items {
        case .short(let items): append(items, place, upper, renumbering, &window)
        case .narrow(let items): append(items, place, upper, renumbering, &window)
        case .wide(let items): append(items, place, upper, renumbering, &window)
        case .full(let items): append(items, place, upper, renumbering, &window)
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

    private func id(at place: Int) -> EventID {
        switch items {
        case .short(let items): items[place].id(layout)
        case .narrow(let items): items[place].id(layout)
        case .wide(let items): items[place].id(layout)
        case .full(let items): items[place].id(layout)
        }
    }
}
