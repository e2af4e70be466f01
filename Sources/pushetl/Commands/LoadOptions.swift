import ArgumentParser

/// The options of commands that load. Other commands accept them too, and do not show them.
struct LoadOptions: ParsableArguments {
    @OptionGroup var work: WorkOptions

    @Flag(
        help:
            "Let a partial load replace a complete partition, and load dates with too many rejects, an unusual volume or lost events."
    )
    var force = false

    @Flag(help: "Load dates that would lose events, though none of their files is gone.")
    var acceptLoss = false

    /// `--settle` of `run` and `backfill`.
    static let settleHelp: ArgumentHelp =
        "Close more than 7 log dates at once, as the first night with 'retention' does. Their figures stay for ever; later, their ids are erased."
}
