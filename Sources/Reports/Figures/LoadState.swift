/// The state of a log date, as push.db knows it.
enum LoadState: CaseIterable {
    case complete
    /// Loaded with less than it should have, and accepted as it is.
    case accepted
    /// Loaded, but some usual files or hours are missing.
    case lacking
    case partial
    /// The last load that is on record was held back or failed.
    case heldBack
    /// Not loaded, but between the first and the last loaded log date.
    case missing
    /// Not loaded, and before the first log date or after the last.
    case outside

    /// The letter in a calendar, the name for people, and whether a person should look at the log date.
    private var entry: (letter: String, name: String, needsLook: Bool) {
        switch self {
        case .complete: ("", "complete", false)
        case .accepted: ("A", "accepted as it is", false)
        case .lacking: ("L", "lacks files or hours", true)
        case .partial: ("P", "partial", true)
        case .heldBack: ("H", "held back", true)
        case .missing: ("M", "missing", true)
        case .outside: ("", "not loaded", false)
        }
    }

    var letter: String { entry.letter }
    var name: String { entry.name }
    var needsLook: Bool { entry.needsLook }

    /// `W: complete, with warnings. P: partial. M: missing.`
    static func legend(of states: Set<LoadState>, withWarnings: Bool) -> String {
        let letters = allCases.filter { !$0.letter.isEmpty && states.contains($0) }.map { "\($0.letter): \($0.name)." }
        return ((withWarnings ? ["W: complete, with warnings."] : []) + letters).joined(separator: " ")
    }
}
