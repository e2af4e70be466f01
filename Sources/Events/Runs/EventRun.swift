/// Events of one section and one worker, sorted by id.
package struct EventRun: Sendable {
    enum Content: Sendable {
        /// In memory.
        case compact(CompactRun)
        /// The same where a detail does not fit one word: times are far apart, or events have several records.
        case whole([Event])
        /// In a spill file.
        case blocks(SortedRun)
    }

    /// The events in memory from one of `starts` to the next.
    private static let startEvents = 128

    /// The index of the worker. The delivery numbers of the events belong to this worker's table.
    let worker: Int
    let content: Content

    init(worker: Int, content: Content) {
        self.worker = worker
        self.content = content
    }

    /// Sorts events by `order`. `events` must not be empty.
    init(worker: Int, events: Span<Event>, sortedBy order: inout EventOrder) {
        assert(events.count > 0)
        order.sort(events, ids: IDRange(events))
        if let layout = DetailLayout(events) {
            self.init(worker: worker, content: .compact(CompactRun(events, order: order, layout: layout)))
        } else {
            self.init(worker: worker, content: .whole(order.sorted(events)))
        }
    }

    /// The bytes that the events take in memory.
    var memory: Int {
        switch content {
        case .compact(let run): run.events.count * MemoryLayout<CompactEvent>.stride
        case .whole(let events): events.count * MemoryLayout<Event>.stride
        case .blocks: 0
        }
    }

    /// Sorted ids, and the number of events from each id to the next. They serve to cut runs into pieces.
    var starts: [(id: EventID, count: Int)] {
        func starts(_ count: Int, id: (Int) -> EventID) -> [(id: EventID, count: Int)] {
            stride(from: 0, to: count, by: EventRun.startEvents).map { (id($0), min(EventRun.startEvents, count - $0)) }
        }
        return switch content {
        case .compact(let run): starts(run.events.count) { run.events[$0].id }
        case .whole(let events): starts(events.count) { events[$0].id }
        case .blocks(let run): run.blocks.map { ($0.first, $0.count) }
        }
    }

    /// How often the events have been merged: 0 for a run in memory.
    var level: Int { if case .blocks(let run) = content { run.level } else { 0 } }
}

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
