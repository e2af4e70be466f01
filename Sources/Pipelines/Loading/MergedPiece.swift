import Events

/// The events of a range of ids, joined and packed.
struct MergedPiece: Sendable {
    /// The approximate number of events of a piece before joining.
    static let wantedEvents = 1 << 16

    let section: Section
    var blocks: [EventBlock] = []
}
