/// A place in a run of blocks: the blocks from the next one on, and what is left of the one before.
struct BlockCursor {
    private let run: SortedRun
    private let lower: EventID?
    private var nextBlock: Int
    private var events: [Event] = []
    private var position = 0

    init(_ run: SortedRun, from lower: EventID?) {
        self.run = run
        self.lower = lower
        // The first block whose last id is not below `lower`.
        var low = 0
        var high = lower == nil ? 0 : run.blocks.count
        while low < high {
            let middle = (low + high) / 2
            if let lower, run.blocks[middle].last < lower { low = middle + 1 } else { high = middle }
        }
        nextBlock = low
    }

    mutating func append(until upper: EventID?, renumbering: [UInt32]?, to window: inout EventBuffer) throws {
        while true {
            while position < events.count {
                var event = events[position]
                if let upper, event.id >= upper { return }
                if let renumbering { event.delivery = renumbering[Int(event.delivery)] }
                window.append(event)
                position &+= 1
            }
            guard nextBlock < run.blocks.count else { return }
            if let upper, run.blocks[nextBlock].first >= upper { return }
            events.removeAll(keepingCapacity: true)
            try run.load(run.blocks[nextBlock]).decode(appendingTo: &events)
            nextBlock += 1
            position = 0
            if let lower {
                while position < events.count && events[position].id < lower { position &+= 1 }
            }
        }
    }
}
