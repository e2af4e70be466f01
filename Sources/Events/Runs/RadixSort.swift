/// The steps that `CompactSorter` and `EventSorter` share: a radix sort by the top bits of a key, digit by digit from
/// the lowest, then an insertion sort of the nearly sorted items.
enum RadixSort {
    /// The moves per item that the insertion sort may take before it gives way to a sort by comparison. So no input
    /// costs more than n log n.
    private static let movesPerItem = 8

    /// Replaces the number of items of each digit by the index at which the items of this digit begin.
    @inline(__always)
    static func turnIntoStarts(_ counts: UnsafeMutableBufferPointer<UInt32>) {
        var sum = 0 as UInt32
        for digit in counts.indices {
            let count = counts[digit]
            counts[digit] = sum
            sum &+= count
        }
    }

    /// Copies the first `count` items to `sorted`, ordered by digit; items of the same digit keep their order.
    ///
    /// `starts` has the index at which the items of each digit begin, and is overwritten. Both buffers hold at least
    /// `count` items, and the sizes of all digits add up to `count`, so every index is within its buffer.
    @inline(__always)
    static func scatter<Item>(
        _ items: UnsafeMutableBufferPointer<Item>, _ count: Int, to sorted: UnsafeMutableBufferPointer<Item>,
        _ starts: UnsafeMutableBufferPointer<UInt32>, digit: (Item) -> Int
    ) {
        for index in 0..<count {
            let item = items[index]
            let digit = digit(item)
            sorted[Int(starts[digit])] = item
            starts[digit] &+= 1
        }
    }

    /// Sorts items that are nearly in order.
    @inline(__always)
    static func sortNeighbours<Item>(
        _ items: UnsafeMutableBufferPointer<Item>, precedes: (Item, Item) -> Bool
    ) {
        var movesLeft = movesPerItem * items.count
        for index in items.indices.dropFirst() where precedes(items[index], items[index &- 1]) {
            let item = items[index]
            var hole = index
            while hole > 0 && precedes(item, items[hole &- 1]) {
                items[hole] = items[hole &- 1]
                hole &-= 1
            }
            items[hole] = item
            movesLeft &-= index &- hole
            guard movesLeft > 0 else {
                var rest = items
                return rest.sort(by: precedes)
            }
        }
    }
}
