import ArgumentParser

/// The options of commands that load.
struct LoadOptions: ParsableArguments {
    @OptionGroup var work: WorkOptions

    @Flag(
        help:
            "Let a partial load replace a complete partition, and load dates with too many rejects, an unusual volume or lost events."
    )
    var force = false

    @Flag(help: "Load dates that would lose events, though none of their files is gone.")
    var acceptLoss = false

    @Flag(help: "List all log dates, including those that are complete.")
    var verbose = false

    /// `--settle` of `run` and `backfill`.
    static let settleHelp: ArgumentHelp =
        "Close more than 7 log dates at once, as the first night with 'retention' does. Their figures stay for ever; later, their ids are erased."

    /// `--no-progress` of `run` and `backfill`.
    static let noProgressHelp: ArgumentHelp = "Show no progress on the terminal."
}
