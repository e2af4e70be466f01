/// A promise that was not kept.
struct HistoryFault: Error {
    enum Kind: String, CaseIterable {
        case hang, trap, exitCode, verdict, figures, closing, ids, nights, definitions, others, trigger, commands, copy,
            file, silence, accusation, doctor, reader, foreignFile, leftovers, restlessness, rotation
    }

    let kind: Kind
    let message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}

/// What a test of histories has done, so that none passes without comparing anything.
struct HistoryCounts {
    var steps = 0
    var commands = 0
    /// Commands that found push.db, a partition or a cache changed by something else, and ended well.
    var heals = 0
    var comparisons = 0
    /// Rotations that were compared.
    var rotations = 0
}
