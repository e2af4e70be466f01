/// Merges the sorted runs of one section. The ids are cut into pieces that can be merged at the same time; within a
/// piece, window after window of a few thousand events is gathered from the runs, sorted and joined while in cache.
package struct RunMerger: Sendable {
    /// Ids from `lower` on, below `upper`; nil is no bound.
    package struct Piece: Sendable {
        package let lower: EventID?
        package let upper: EventID?
    }

    private static let windowEvents = 1 << 12

    private let runs: [EventRun]
    /// Nil where the numbers stay.
    private let renumbering: [[UInt32]]?
    private let deliveryPrecedes: @Sendable (UInt32, UInt32) -> Bool
    /// Ids at which events of the runs begin, and how many, sorted.
    private let starts: [(id: EventID, count: Int)]

    /// `renumbering[worker]` gives the final number of each of that worker's delivery numbers.
    package init(_ runs: [EventRun], renumbering: [[UInt32]]) {
        self.init(runs, renumbering: renumbering, deliveryPrecedes: <)
    }

    /// Of one worker's runs, whose delivery numbers stay as they are.
    init(_ runs: [EventRun], deliveries: DeliveryTable) {
        self.init(runs, renumbering: nil) { deliveries.precedes($0, $1) }
    }

    private init(
        _ runs: [EventRun], renumbering: [[UInt32]]?, deliveryPrecedes: @escaping @Sendable (UInt32, UInt32) -> Bool
    ) {
        self.runs = runs
        self.renumbering = renumbering
        self.deliveryPrecedes = deliveryPrecedes
        starts = runs.flatMap(\.starts).sorted { $0.id < $1.id }
    }

    /// Events before joining.
    package var count: Int { starts.reduce(0) { $0 + $1.count } }

    /// Cuts the ids into pieces of some `events` events each, in order.
    package func pieces(of events: Int) -> [Piece] {
        let cuts = cuts(every: events, from: nil, to: nil)
        let lowers: [EventID?] = [nil] + cuts
        return lowers.indices.map { Piece(lower: lowers[$0], upper: $0 < cuts.count ? cuts[$0] : nil) }
    }

    /// Hands the joined events of a piece to `body` in order, at most `EventBlock.capacity` at a time.
    package func merge<Failure: Error>(
        _ piece: Piece, _ body: (Span<Event>) throws(Failure) -> Void
    ) throws {
        var cursors = runs.map { RunCursor($0, from: piece.lower) }
        let uppers: [EventID?] = cuts(every: RunMerger.windowEvents, from: piece.lower, to: piece.upper) + [piece.upper]
        var window = EventBuffer()
        var sorter = EventSorter()
        for upper in uppers {
            window.removeAll()
            for index in cursors.indices {
                let numbers = renumbering?[runs[index].worker]
                try cursors[index].append(until: upper, renumbering: numbers, to: &window)
            }
            try sorter.sortAndJoin(window.span, deliveryPrecedes: deliveryPrecedes, body)
        }
        try sorter.finish(body)
    }

    /// Merges all runs into one that lies in `file`.
    func merged(into file: SpillFile) throws -> SortedRun {
        var encoder = EventBlockEncoder()
        var blocks: [SortedRun.Block] = []
        try merge(RunMerger.Piece(lower: nil, upper: nil)) { events throws(SpillError) in
            let block = encoder.encode(events)
            blocks.append(
                SortedRun.Block(
                    first: block.first, last: block.last, count: block.count, offset: try file.append(block.bytes),
                    length: block.bytes.count))
        }
        return SortedRun(level: (runs.map(\.level).max() ?? 0) + 1, blocks: blocks, in: file)
    }

    /// Ids strictly between `lower` and `upper` such that some `events` events begin between neighbours.
    private func cuts(every events: Int, from lower: EventID?, to upper: EventID?) -> [EventID] {
        var cuts: [EventID] = []
        var gathered = 0
        for start in starts {
            if let upper, start.id >= upper { break }
            if let lower, start.id <= lower { continue }
            if gathered >= events && start.id > cuts.last ?? EventID(high: 0, low: 0) {
                cuts.append(start.id)
                gathered = 0
            }
            gathered += start.count
        }
        return cuts
    }
}
