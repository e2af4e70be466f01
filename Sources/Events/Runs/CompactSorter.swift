/// Makes runs of buffers. Holds its scratch, so that the same one should serve many times.
struct CompactSorter {
    /// Bits of a digit of the radix sort.
    private static let digit = 11
    /// Moves an event that putting neighbours in order may take, before all are sorted by comparison.
    private static let movesPerEvent = 8

    private var short: [ShortItem] = []
    private var narrow: [NarrowItem] = []
    private var wide: [WideItem] = []
    private var full: [FullItem] = []

    /// The events, of one record each, as a run. `events` is not empty.
    mutating func run(of events: Span<Event>) -> CompactRun {
        let layout = DetailLayout(events)
        let items: CompactRun.Items =
            if !layout.fitsOneWord {
                .full(CompactSorter.sorted(events, layout, &full))
            } else if layout.isWide {
                .wide(CompactSorter.sorted(events, layout, &wide))
            } else if layout.isShort {
                .short(CompactSorter.sorted(events, layout, &short))
            } else {
                .narrow(CompactSorter.sorted(events, layout, &narrow))
            }
        return CompactRun(layout: layout, items: items, count: events.count)
    }

    /// Sorts by the top bits of the key, a digit or two that few of evenly spread ids share, then puts neighbours in order.
    private static func sorted<Item: CompactItem>(
        _ events: Span<Event>, _ layout: DetailLayout, _ scratch: inout [Item]
    ) -> [Item] {
        let count = events.count
        let bits = layout.ids.bits
        let wanted = min(bits, 2 * digit, bitWidth(of: UInt64(count)) + 3)
        let lowBits = max(0, wanted - digit)
        let shift = UInt64(bits - wanted)
        if scratch.count < count { scratch = Array(repeating: Item(events[0], layout), count: count) }
        return [Item](unsafeUninitializedCapacity: count) { items, initialized in
            // Every index is a digit, or a place that the counts bound by `count`, which both buffers have.
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2 << digit) { counts in
                counts.initialize(repeating: 0)
                let low = UnsafeMutableBufferPointer(rebasing: counts[..<(1 << digit)])
                let high = UnsafeMutableBufferPointer(rebasing: counts[(1 << digit)...])
                let lowMask = (1 as UInt64) << UInt64(lowBits) - 1
                scratch.withUnsafeMutableBufferPointer { scratch in
                    for index in 0..<count {
                        let item = Item(events[index], layout)
                        let key = item.key(layout) &>> shift
                        low[Int(truncatingIfNeeded: key & lowMask)] &+= 1
                        high[Int(truncatingIfNeeded: key &>> UInt64(lowBits))] &+= 1
                        items[index] = item
                    }
                    turnIntoPlaces(low)
                    turnIntoPlaces(high)
                    for index in 0..<count {
                        let item = items[index]
                        let digit = Int(truncatingIfNeeded: (item.key(layout) &>> shift) & lowMask)
                        scratch[Int(low[digit])] = item
                        low[digit] &+= 1
                    }
                    for index in 0..<count {
                        let item = scratch[index]
                        let digit = Int(truncatingIfNeeded: (item.key(layout) &>> shift) &>> UInt64(lowBits))
                        items[Int(high[digit])] = item
                        high[digit] &+= 1
                    }
                }
            }
            orderNeighbours(UnsafeMutableBufferPointer(rebasing: items[..<count]))
            initialized = count
        }
    }

    private static func turnIntoPlaces(_ counts: UnsafeMutableBufferPointer<UInt32>) {
        var sum = 0 as UInt32
        for digit in counts.indices {
            let count = counts[digit]
            counts[digit] = sum
            sum &+= count
        }
    }

    private static func orderNeighbours<Item: CompactItem>(_ items: UnsafeMutableBufferPointer<Item>) {
        var movesLeft = movesPerEvent * items.count
        for index in items.indices.dropFirst() where items[index].precedes(items[index &- 1]) {
            let item = items[index]
            var hole = index
            while hole > 0 && item.precedes(items[hole &- 1]) {
                items[hole] = items[hole &- 1]
                hole &-= 1
            }
            items[hole] = item
            movesLeft &-= index &- hole
            guard movesLeft > 0 else {
                var rest = items
                return rest.sort { $0.precedes($1) }
            }
        }
    }
}
