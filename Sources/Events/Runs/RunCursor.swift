/// A place in a run, from which events are taken window by window.
struct RunCursor {
    /// One of these two is there.
    private let run: CompactRun?
    private var blocks: BlockCursor?
    private var place = 0

    /// Before the first event with an id from `lower` on.
    init(_ run: EventRun, from lower: EventID?) {
        switch run.content {
        case .compact(let run):
            self.run = run
            if let lower { place = run.place(of: lower) }
        case .blocks(let run):
            self.run = nil
            blocks = BlockCursor(run, from: lower)
        }
    }

    /// Appends the events with ids below `upper`, their deliveries renumbered, and goes on behind them.
    mutating func append(until upper: EventID?, renumbering: [UInt32]?, to window: inout EventBuffer) throws {
        if let run {
            place = run.append(from: place, until: upper, renumbering: renumbering, to: &window)
        } else {
            try blocks?.append(until: upper, renumbering: renumbering, to: &window)
        }
    }
}
