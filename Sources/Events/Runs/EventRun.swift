/// Events of one section and one worker, sorted by id.
package struct EventRun: Sendable {
    enum Content: Sendable {
        case compact(CompactRun)
        case blocks(SortedRun)
    }

    /// The worker whose delivery table the events' delivery numbers are of.
    let worker: Int
    let content: Content

    /// Bytes that the events take in memory.
    var memory: Int {
        switch content {
        case .compact(let run): run.memory
        case .blocks: 0
        }
    }

    /// Ids at which events begin, and how many each; sorted.
    var starts: [(id: EventID, count: Int)] {
        switch content {
        case .compact(let run): run.starts
        case .blocks(let run): run.blocks.map { ($0.first, $0.count) }
        }
    }

    /// How often the events have been merged from other runs.
    var level: Int {
        switch content {
        case .compact: 0
        case .blocks(let run): run.level
        }
    }
}
