import Events

/// Finds out whether two partitions share a message: walks the ids of both, block by block, until one is the same.
struct MeetingTest {
    /// Blocks that are read at a time.
    private static let blocksAtATime = 64

    /// The ids of one partition in a section, those of some blocks in hand.
    private struct Walk {
        let partition: Partition
        var rest: ArraySlice<BlockPlace>
        var ids: MessageIDs
        var next = 0

        /// Makes sure that there is an id in hand; false at the end.
        mutating func fill() throws(WarehouseError) -> Bool {
            guard next == ids.count else { return true }
            guard let first = rest.first else { return false }
            let together = rest.prefix(MeetingTest.blocksAtATime).enumerated()
                .prefix { $1.number == first.number + Int64($0) }.count
            ids.removeAll()
            next = 0
            for block in try partition.blocks(rest.prefix(together)) {
                do {
                    try ids.append(block)
                } catch {
                    throw .corrupt(path: partition.path, detail: "a block of events: \(error)")
                }
            }
            rest = rest.dropFirst(together)
            return true
        }
    }

    private let partitions: [Partition]
    private let blocks: [[Section: [BlockPlace]]]
    private let means: PublicationMeans

    init(
        _ a: Partition, _ sourceA: FigureSource, _ b: Partition, _ sourceB: FigureSource, _ means: PublicationMeans
    ) {
        partitions = [a, b]
        blocks = MeetingBlocks([sourceA.blocks, sourceB.blocks]).places
        self.means = means
    }

    func meets() throws(WarehouseError) -> Bool {
        for section in blocks[0].keys.sorted() {
            if try meets(in: section) { return true }
        }
        return false
    }

    private func meets(in section: Section) throws(WarehouseError) -> Bool {
        let isWide = section.kind != .hex
        var a = Walk(partition: partitions[0], rest: (blocks[0][section] ?? [])[...], ids: MessageIDs(isWide: isWide))
        var b = Walk(partition: partitions[1], rest: (blocks[1][section] ?? [])[...], ids: MessageIDs(isWide: isWide))
        while try a.fill(), try b.fill() {
            if means.isStopped() { throw .stopped }
            if MeetingTest.meets(a.ids, &a.next, b.ids, &b.next) { return true }
        }
        return false
    }

    /// Goes on in both until an id is the same, or one of the two is at its end.
    private static func meets(_ a: MessageIDs, _ nextA: inout Int, _ b: MessageIDs, _ nextB: inout Int) -> Bool {
        let (lowA, highA, lowB, highB) = (a.low, a.high, b.low, b.high)
        var (placeA, placeB) = (nextA, nextB)
        defer { (nextA, nextB) = (placeA, placeB) }
        while placeA < lowA.count, placeB < lowB.count {
            let idA = EventID(high: a.isWide ? highA[placeA] : 0, low: lowA[placeA])
            let idB = EventID(high: a.isWide ? highB[placeB] : 0, low: lowB[placeB])
            if idA.isSame(as: idB) { return true }
            if idA.precedes(idB) { placeA &+= 1 } else { placeB &+= 1 }
        }
        return false
    }
}
