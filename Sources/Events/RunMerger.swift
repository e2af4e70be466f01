/// Merges the sorted runs of one section. The ids are cut into pieces that can be merged at the same time; within a
/// piece, window after window of a few thousand events is gathered from the runs, sorted and joined while in cache.
package struct RunMerger: Sendable {
    /// Ids from `lower` on, below `upper`; nil is no bound.
    package struct Piece: Sendable {
        package let lower: EventID?
        package let upper: EventID?
    }

    private static let windowEvents = 1 << 12

    private let runs: [SortedRun]
    /// Nil where the numbers stay.
    private let renumbering: [[UInt32]]?
    private let deliveryPrecedes: @Sendable (UInt32, UInt32) -> Bool
    /// The first id and the number of events of every block of every run, sorted.
    private let starts: [(id: EventID, count: Int)]

    /// `renumbering[worker]` gives the final number of each of that worker's delivery numbers.
    package init(_ runs: [SortedRun], renumbering: [[UInt32]]) {
        self.init(runs, renumbering: renumbering, deliveryPrecedes: <)
    }

    /// Of one worker's runs, whose delivery numbers stay as they are.
    init(_ runs: [SortedRun], deliveries: DeliveryTable) {
        self.init(runs, renumbering: nil) { deliveries.precedes($0, $1) }
    }

    private init(
        _ runs: [SortedRun], renumbering: [[UInt32]]?, deliveryPrecedes: @escaping @Sendable (UInt32, UInt32) -> Bool
    ) {
        self.runs = runs
        self.renumbering = renumbering
        self.deliveryPrecedes = deliveryPrecedes
        starts = runs.flatMap { $0.blocks.map { (id: $0.first, count: $0.count) } }.sorted { $0.id < $1.id }
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
        var cursors = runs.compactMap { RunCursor($0, from: piece.lower) }
        let uppers: [EventID?] = cuts(every: RunMerger.windowEvents, from: piece.lower, to: piece.upper) + [piece.upper]
        var window: [Event] = []
        var sorter = EventSorter()
        for upper in uppers {
            window.removeAll(keepingCapacity: true)
            for index in cursors.indices {
                try cursors[index].take(until: upper, renumbering: renumbering, into: &window)
            }
            try sorter.sortAndJoin(window.span, deliveryPrecedes: deliveryPrecedes, body)
        }
        try sorter.finish(body)
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

/// A place in a run: the blocks from the next one on, and what is left of the one before.
private struct RunCursor {
    private let run: SortedRun
    private let lower: EventID?
    private var nextBlock: Int
    private var events: [Event] = []
    private var position = 0

    /// Nil if the run has nothing from `lower` on.
    init?(_ run: SortedRun, from lower: EventID?) {
        self.run = run
        self.lower = lower
        guard let lower else {
            nextBlock = 0
            return
        }
        // The first block whose last id is not below `lower`.
        var low = 0
        var high = run.blocks.count
        while low < high {
            let middle = (low + high) / 2
            if run.blocks[middle].last < lower { low = middle + 1 } else { high = middle }
        }
        guard low < run.blocks.count else { return nil }
        nextBlock = low
    }

    mutating func take(until upper: EventID?, renumbering: [[UInt32]]?, into window: inout [Event]) throws {
        let numbers = renumbering?[run.worker]
        while true {
            while position < events.count {
                var event = events[position]
                if let upper, event.id >= upper { return }
                if let numbers { event.delivery = numbers[Int(event.delivery)] }
                window.append(event)
                position &+= 1
            }
            guard nextBlock < run.blocks.count else { return }
            if let upper, run.blocks[nextBlock].first >= upper { return }
            events.removeAll(keepingCapacity: true)
            try run.blocks[nextBlock].load().decode(appendingTo: &events)
            nextBlock += 1
            position = 0
            if let lower {
                while position < events.count && events[position].id < lower { position &+= 1 }
            }
        }
    }
}
