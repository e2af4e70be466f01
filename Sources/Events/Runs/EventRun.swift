/// Events of one section and one worker, sorted by id.
package struct EventRun: Sendable {
    enum Content: Sendable {
        /// In memory.
        case compact(CompactRun)
        /// In a spill file.
        case blocks(SortedRun)
    }

    /// The index of the worker. The delivery numbers of the events belong to this worker's table.
    let worker: Int
    let content: Content

    /// The bytes that the events take in memory.
    var memory: Int {
        switch content {
        case .compact(let run): run.memory
        case .blocks: 0
        }
    }

    /// Sorted ids, and the number of events from each id to the next.
    var starts: [(id: EventID, count: Int)] {
        switch content {
        case .compact(let run): run.starts
        case .blocks(let run): run.blocks.map { ($0.first, $0.count) }
        }
    }

    /// How often the events have been merged: 0 for a run in memory.
    var level: Int {
        switch content {
        case .compact: 0
        case .blocks(let run): run.level
        }
    }
}
