import ArgumentParser

/// The options of commands that load. Other commands accept them too, and do not show them.
struct LoadOptions: ParsableArguments {
    @OptionGroup var work: WorkOptions

    @Flag(
        help:
            "Let a partial load replace a complete partition, and load dates with too many rejects or an unusual volume."
    )
    var force = false
}
