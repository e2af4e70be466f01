import Messages

/// Merges the sorted runs of one section.
///
/// The range of ids is cut into pieces, which can be merged in parallel. Within a piece, windows of a few thousand
/// events are gathered from the runs, sorted and joined while they are in the cache.
package struct RunMerger: Sendable {
    /// A range of ids.
    package struct Piece: Sendable {
        /// All ids.
        package static let whole = Piece(lower: nil, upper: nil)

        /// The lowest id; nil is no bound.
        package let lower: EventID?
        /// The first id above the range; nil is no bound.
        package let upper: EventID?
    }

    private static let windowEvents = 1 << 12

    private let runs: [EventRun]
    private let renumbering: [[UInt32]]?
    private let deliveryPrecedes: @Sendable (UInt32, UInt32) -> Bool
    /// The starts of all runs, sorted by id.
    private let starts: [(id: EventID, count: Int)]

    /// - Parameters:
    ///   - renumbering: by worker, the final number of each delivery number. Nil if the numbers stay as they are.
    ///   - deliveryPrecedes: orders these numbers by the bytes of their texts.
    package init(
        _ runs: [EventRun], renumbering: [[UInt32]]?,
        deliveryPrecedes: @escaping @Sendable (UInt32, UInt32) -> Bool = { $0 < $1 }
    ) {
        self.runs = runs
        self.renumbering = renumbering
        self.deliveryPrecedes = deliveryPrecedes
        starts = runs.flatMap(\.starts).sorted { $0.id < $1.id }
    }

    /// The number of events before they are joined.
    package var count: Int { starts.reduce(0) { $0 + $1.count } }

    /// Cuts the range of ids into pieces of about `events` events each, in order.
    package func pieces(of events: Int) -> [Piece] {
        let cuts = cuts(every: events, from: nil, to: nil)
        let lowers: [EventID?] = [nil] + cuts
        assert(zip(cuts, cuts.dropFirst()).allSatisfy { $0 < $1 })
        return lowers.indices.map { Piece(lower: lowers[$0], upper: $0 < cuts.count ? cuts[$0] : nil) }
    }

    /// Calls `body` with the joined events of a piece, in order and at most `EventBlock.capacity` at a time. Throws
    /// `Fault` or `EventBlockError` if a spill file cannot be read, and what `body` throws.
    package func merge<Failure: Error>(
        _ piece: Piece, body: (Span<Event>) throws(Failure) -> Void
    ) throws {
        var cursors = runs.map { RunCursor($0, from: piece.lower) }
        let uppers: [EventID?] = cuts(every: RunMerger.windowEvents, from: piece.lower, to: piece.upper) + [piece.upper]
        var window: [Event] = []
        var sorter = EventSorter()
        for upper in uppers {
            window.removeAll(keepingCapacity: true)
            var lowest = EventID(high: .max, low: .max)
            var highest = EventID(high: 0, low: 0)
            for index in cursors.indices {
                let start = window.count
                let numbers = renumbering?[runs[index].worker]
                try cursors[index].append(until: upper, renumbering: numbers, to: &window)
                guard start < window.count else { continue }
                // The events of a run are sorted by id.
                lowest = min(lowest, window[start].id)
                highest = max(highest, window[window.count - 1].id)
            }
            assert(upper.map { highest < $0 } ?? true)
            guard !window.isEmpty else { continue }
            let ids = IDRange(lowest: lowest, highest: highest)
            try sorter.sortAndJoin(window.span, ids: ids, deliveryPrecedes: deliveryPrecedes, body: body)
        }
        try sorter.finish(body)
    }

    /// Merges all runs into one run of blocks in `file`.
    func merged(into file: SpillFile) throws -> SortedRun {
        var encoder = EventBlockEncoder()
        var blocks: [SortedRun.Block] = []
        try merge(.whole) { events throws(Fault) in
            blocks.append(try SortedRun.Block(encoder.encode(events), in: file))
        }
        return SortedRun(level: (runs.map(\.level).max() ?? 0) + 1, blocks: blocks, in: file)
    }

    /// Ids strictly between `lower` and `upper` that cut the events into parts of about `events` each.
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
