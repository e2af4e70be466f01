import ArgumentParser

/// The options of commands that load. Other commands accept them too, and do not show them.
struct LoadOptions: ParsableArguments {
    @OptionGroup var work: WorkOptions

    @Flag(
        help:
            "Let a partial load replace a complete partition, and load dates with too many rejects or an unusual volume."
    )
    var force = false

    /// `--settle` of `run` and `backfill`.
    static let settleHelp: ArgumentHelp =
        "Close more than 7 log dates at once, as the first night with 'retention' does. Their figures stay for ever; later, their ids are erased."
}
