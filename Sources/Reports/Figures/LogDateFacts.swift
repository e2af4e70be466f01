import Output

/// A log date in push.db.
struct LogDateFacts {
    /// The status of its partition; nil if it is not loaded.
    var status: String?
    /// The verdict of the last load on record, and the message that it printed.
    var verdict: String?
    var detail: String?
    /// Of the load that its partition is from.
    var warnings = LoadWarnings()

    /// Whether it was loaded with another pipeline file than the one last published with.
    var isOfFormerPipeline = false

    var isLoaded: Bool { status != nil }
}
