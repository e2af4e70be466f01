/// A position in a run. Events are read window by window.
struct RunCursor {
    private let content: EventRun.Content
    private let lower: EventID?
    /// Of a run in memory: the index of the next event. Of a run of blocks: that of the next block to decode.
    private var next = 0
    /// The events of the current block, and the index of the next one.
    private var block: [Event] = []
    private var index = 0

    /// Begins at the first event whose id is not below `lower`; nil is no bound.
    init(_ run: EventRun, from lower: EventID?) {
        content = run.content
        self.lower = lower
        if case .whole(let events) = content { block = events }
        guard let lower else { return }
        switch content {
        case .compact(let run): next = firstIndex(in: run.events.indices) { run.events[$0].id < lower }
        case .whole: index = firstIndex(in: block.indices) { block[$0].id < lower }
        case .blocks(let run): next = firstIndex(in: run.blocks.indices) { run.blocks[$0].last < lower }
        }
    }

    /// Appends the events with ids below `upper` (nil is no bound) and advances past them. Translates their delivery
    /// numbers by `renumbering`.
    mutating func append(until upper: EventID?, renumbering: [UInt32]?, to window: inout [Event]) throws {
        switch content {
        case .compact(let run):
            next = run.append(from: next, until: upper, renumbering: renumbering, to: &window)
        case .whole:
            appendBlock(upTo: upper, renumbering: renumbering, to: &window)
        case .blocks(let run):
            try append(run, upTo: upper, renumbering: renumbering, to: &window)
        }
    }

    private mutating func appendBlock(upTo upper: EventID?, renumbering: [UInt32]?, to window: inout [Event]) {
        while index < block.count {
            var event = block[index]
            if let upper, event.id >= upper { return }
            if let renumbering { event.delivery = renumbering[Int(event.delivery)] }
            window.append(event)
            index &+= 1
        }
    }

    private mutating func append(
        _ run: SortedRun, upTo upper: EventID?, renumbering: [UInt32]?, to window: inout [Event]
    ) throws {
        while true {
            appendBlock(upTo: upper, renumbering: renumbering, to: &window)
            guard index == block.count, next < run.blocks.count else { return }
            if let upper, run.blocks[next].first >= upper { return }
            assert(next == 0 || run.blocks[next - 1].last <= run.blocks[next].first)
            block.removeAll(keepingCapacity: true)
            try run.load(run.blocks[next]).decode(appendingTo: &block)
            next += 1
            index = lower.map { lower in firstIndex(in: block.indices) { block[$0].id < lower } } ?? 0
        }
    }
}
