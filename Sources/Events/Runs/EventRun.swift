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
