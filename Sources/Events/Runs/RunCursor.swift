/// A position in a run. Events are read window by window.
struct RunCursor {
    /// Set for a compact run; otherwise `blocks` is set.
    private let run: CompactRun?
    private var blocks: BlockCursor?
    /// The index of the next event of a compact run.
    private var index = 0

    /// Begins at the first event whose id is not below `lower`; nil is no bound.
    init(_ run: EventRun, from lower: EventID?) {
        switch run.content {
        case .compact(let run):
            self.run = run
            if let lower { index = run.index(notBefore: lower) }
        case .blocks(let run):
            self.run = nil
            blocks = BlockCursor(run, from: lower)
        }
    }

    /// Appends the events with ids below `upper` (nil is no bound) and advances past them. Translates their delivery
    /// numbers by `renumbering`.
    mutating func append(until upper: EventID?, renumbering: [UInt32]?, to window: inout [Event]) throws {
        if let run {
            index = run.append(from: index, until: upper, renumbering: renumbering, to: &window)
        } else {
            try blocks?.append(until: upper, renumbering: renumbering, to: &window)
        }
    }
}
