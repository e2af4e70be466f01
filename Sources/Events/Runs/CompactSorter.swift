/// Sorts a buffer of events into a compact run. It owns its scratch memory, so use one sorter for many buffers.
struct CompactSorter {
    /// The bits of a digit of the radix sort.
    private static let digitBits = 11

    private var short: [ShortItem] = []
    private var wide: [WideItem] = []
    private var full: [FullItem] = []

    /// Sorts events, which have one record each, into a run. `events` must not be empty.
    mutating func run(of events: Span<Event>) -> CompactRun {
        let layout = DetailLayout(events)
        let items: CompactRun.Items =
            if !layout.fitsOneWord {
                .full(CompactSorter.sorted(events, layout, &full))
            } else if layout.isShort {
                .short(CompactSorter.sorted(events, layout, &short))
            } else {
                .wide(CompactSorter.sorted(events, layout, &wide))
            }
        return CompactRun(layout: layout, items: items, count: events.count)
    }

    /// Sorts by the top bits of the key, in two digits at most, then sorts neighbours. The top bits are enough that few
    /// evenly distributed ids share them.
    private static func sorted<Item: CompactItem>(
        _ events: Span<Event>, _ layout: DetailLayout, _ scratch: inout [Item]
    ) -> [Item] {
        let count = events.count
        let bits = layout.ids.bits
        let sortedBits = min(bits, 2 * digitBits, bitWidth(of: UInt64(count)) + 3)
        let lowBits = UInt64(max(0, sortedBits - digitBits))
        let lowMask = (1 as UInt64) << lowBits - 1
        let shift = UInt64(bits - sortedBits)
        if scratch.count < count { scratch = Array(repeating: Item(events[0], layout), count: count) }
        return [Item](unsafeUninitializedCapacity: count) { items, initialized in
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2 << digitBits) { counts in
                counts.initialize(repeating: 0)
                let low = UnsafeMutableBufferPointer(rebasing: counts[..<(1 << digitBits)])
                let high = UnsafeMutableBufferPointer(rebasing: counts[(1 << digitBits)...])
                scratch.withUnsafeMutableBufferPointer { scratch in
                    for index in 0..<count {
                        let item = Item(events[index], layout)
                        let key = item.key(layout) &>> shift
                        low[Int(truncatingIfNeeded: key & lowMask)] &+= 1
                        high[Int(truncatingIfNeeded: key &>> lowBits)] &+= 1
                        items[index] = item
                    }
                    RadixSort.turnIntoStarts(low)
                    RadixSort.turnIntoStarts(high)
                    RadixSort.scatter(items, count, to: scratch, low) {
                        Int(truncatingIfNeeded: ($0.key(layout) &>> shift) & lowMask)
                    }
                    RadixSort.scatter(scratch, count, to: items, high) {
                        Int(truncatingIfNeeded: ($0.key(layout) &>> shift) &>> lowBits)
                    }
                }
            }
            RadixSort.sortNeighbours(UnsafeMutableBufferPointer(rebasing: items[..<count])) { $0.precedes($1) }
            initialized = count
        }
    }
}
