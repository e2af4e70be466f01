import Events

/// The events of a range of ids, joined and packed.
struct MergedPiece: Sendable {
    /// Events of a piece before joining, roughly.
    static let wantedEvents = 1 << 16

    let section: Section
    var blocks: [EventBlock] = []
}
