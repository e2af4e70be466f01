/// A position in a run of blocks. It holds one decoded block at a time.
struct BlockCursor {
    private let run: SortedRun
    private let lower: EventID?
    /// The index of the next block to decode.
    private var nextBlock: Int
    /// The events of the current block, and the index of the next one.
    private var events: [Event] = []
    private var index = 0

    /// Begins at the first event whose id is not below `lower`; nil is no bound.
    init(_ run: SortedRun, from lower: EventID?) {
        self.run = run
        self.lower = lower
        nextBlock = lower.map { lower in firstIndex(in: run.blocks.indices) { run.blocks[$0].last < lower } } ?? 0
    }

    /// Appends the events with ids below `upper` (nil is no bound) and advances past them. Translates their delivery
    /// numbers by `renumbering`.
    mutating func append(until upper: EventID?, renumbering: [UInt32]?, to window: inout [Event]) throws {
        while true {
            while index < events.count {
                var event = events[index]
                if let upper, event.id >= upper { return }
                if let renumbering { event.delivery = renumbering[Int(event.delivery)] }
                window.append(event)
                index &+= 1
            }
            guard nextBlock < run.blocks.count else { return }
            if let upper, run.blocks[nextBlock].first >= upper { return }
            events.removeAll(keepingCapacity: true)
            try run.load(run.blocks[nextBlock]).decode(appendingTo: &events)
            nextBlock += 1
            index = 0
            if let lower {
                while index < events.count && events[index].id < lower { index &+= 1 }
            }
        }
    }
}
