/// A kind of log.
enum Kind: String, CaseIterable, Sendable {
    case collector, mzip
    case usersTrack = "users_track"

    /// The name of its source in the pipeline file; what its files are called, before and after their number; its share
    /// of a date's records, where all kinds are written.
    private var traits: (source: String, file: String, suffix: String, weight: Int) {
        switch self {
        case .collector: ("adobe", "host", ".log.gz", 8)
        case .mzip: ("momo", "arrivals", ".gz", 1)
        case .usersTrack: ("braze", "track", ".json.gz", 1)
        }
    }

    var source: String { traits.source }
    var fileName: String { traits.file }
    var suffix: String { traits.suffix }
    var weight: Int { traits.weight }
}
