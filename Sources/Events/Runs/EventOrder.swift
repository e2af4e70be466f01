/// Sorts events by (id, action) without moving them. It owns its scratch memory, so use one for many calls.
///
/// Each event has an item of 64 bits: from the top, the highest differing bits of its id, its action, and its index. A
/// radix sort by the top bits brings nearly all items into order, and an insertion sort does the rest. The events
/// themselves are rarely read. Ids that differ only in lower bits are sorted by comparison, so no input costs more than
/// n log n.
struct EventOrder {
    /// The most bits of a digit of the radix sort.
    private static let maxDigitBits = 11
    /// The moves per item that the insertion sort may take before it gives way to a sort by comparison.
    private static let movesPerItem = 8

    /// The sorted items of the last call, at the front.
    private(set) var items: [UInt64] = []
    private var scratch: [UInt64] = []
    private(set) var layout = Layout()

    /// The layout of an item.
    struct Layout {
        var actionShift = 0 as UInt64
        var idShift = 0 as UInt64
        var indexMask = 0 as UInt64
        /// Whether an item holds all differing bits of its id, so that equal bits mean equal ids.
        var isExact = true

        /// The index of the item's event.
        @inline(__always)
        func index(_ item: UInt64) -> Int { Int(truncatingIfNeeded: item & indexMask) }
    }

    /// Sorts `events`, which must not be empty, and whose ids are in `ids`.
    mutating func sort(_ events: Span<Event>, ids: IDRange) {
        assert(events.count > 0)
        let count = events.count
        var actions = 0 as UInt16
        for index in events.indices { actions |= events[index].action }
        let indexBits = bitWidth(of: UInt64(count))
        let actionBits = bitWidth(of: UInt64(actions))
        let idBits = min(ids.bits, 64 - indexBits - actionBits)
        layout = Layout(
            actionShift: UInt64(indexBits), idShift: UInt64(indexBits + actionBits),
            indexMask: (1 &<< UInt64(indexBits)) - 1, isExact: idBits == ids.bits && ids.shift == 0)
        if items.count < count {
            items = Array(repeating: 0, count: count)
            scratch = items
        }
        let droppedBits = UInt64(ids.bits - idBits)
        let layout = layout
        items.withUnsafeMutableBufferPointer { items in
            for index in events.indices {
                items[index] =
                    (ids.key(events[index].id) &>> droppedBits) &<< layout.idShift
                    | UInt64(events[index].action) &<< layout.actionShift | UInt64(truncatingIfNeeded: index)
            }
        }
        // Enough bits that few evenly distributed ids share them.
        let sortedBits = min(idBits + actionBits, indexBits + actionBits + 3)
        let lowest = indexBits + idBits + actionBits - sortedBits
        let passes = (sortedBits + EventOrder.maxDigitBits - 1) / EventOrder.maxDigitBits
        for pass in 0..<passes {
            let from = sortedBits * pass / passes
            radixPass(shift: UInt64(lowest + from), bits: sortedBits * (pass + 1) / passes - from, count: count)
        }
        if lowest > indexBits { sortNeighbours(count) }
        if !layout.isExact { sortWithinKeys(events) }
    }

    /// The events of the last call, in order.
    func sorted(_ events: Span<Event>) -> [Event] { events.indices.map { events[layout.index(items[$0])] } }

    /// Sorts the first `count` items by the digit of `bits` bits above `shift`. Items of the same digit keep their
    /// order.
    private mutating func radixPass(shift: UInt64, bits: Int, count: Int) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 1 << bits) { starts in
            // First the number of items of each digit, then the index at which they begin. The numbers add up to
            // `count`, so every index is within the buffers.
            starts.initialize(repeating: 0)
            let mask = UInt64(starts.count - 1)
            items.withUnsafeMutableBufferPointer { items in
                scratch.withUnsafeMutableBufferPointer { scratch in
                    for index in 0..<count {
                        starts[Int(truncatingIfNeeded: (items[index] &>> shift) & mask)] &+= 1
                    }
                    var sum = 0 as UInt32
                    for digit in starts.indices { (starts[digit], sum) = (sum, sum &+ starts[digit]) }
                    for index in 0..<count {
                        let digit = Int(truncatingIfNeeded: (items[index] &>> shift) & mask)
                        scratch[Int(starts[digit])] = items[index]
                        starts[digit] &+= 1
                    }
                }
            }
        }
        swap(&items, &scratch)
    }

    /// Sorts the first `count` items, which are nearly in order.
    private mutating func sortNeighbours(_ count: Int) {
        var movesLeft = EventOrder.movesPerItem * count
        items.withUnsafeMutableBufferPointer { items in
            for index in 1..<max(1, count) where items[index] < items[index &- 1] {
                let item = items[index]
                var hole = index
                while hole > 0 && item < items[hole &- 1] {
                    items[hole] = items[hole &- 1]
                    hole &-= 1
                }
                items[hole] = item
                movesLeft &-= index &- hole
                guard movesLeft > 0 else { return items[..<count].sort() }
            }
        }
    }

    /// Sorts events whose items have the same bits of the id, although their ids differ.
    private mutating func sortWithinKeys(_ events: Span<Event>) {
        let layout = layout
        let count = events.count
        @inline(__always)
        func event(_ item: UInt64) -> Event { events[layout.index(item)] }
        items.withUnsafeMutableBufferPointer { items in
            var start = 0
            while start < count {
                let key = items[start] &>> layout.idShift
                let id = event(items[start]).id
                var end = start &+ 1
                var differ = false
                while end < count && items[end] &>> layout.idShift == key {
                    if event(items[end]).id != id { differ = true }
                    end &+= 1
                }
                if differ {
                    items[start..<end].sort { a, b in
                        let x = event(a)
                        let y = event(b)
                        return x.id != y.id ? x.id < y.id : x.action < y.action
                    }
                }
                start = end
            }
        }
    }
}
