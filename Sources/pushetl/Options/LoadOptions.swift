import ArgumentParser
import Pipelines

struct LoadOptions: ParsableArguments {
    @Flag(
        help:
            "Close more than 7 log dates at once, as the first night with 'retention' does. Their figures stay for ever; later, their ids are erased."
    )
    var settle = false

    @OptionGroup var work: WorkOptions

    @Flag(
        help:
            "Load in spite of too many rejects or lost events, and a partial load in place of a complete one. A date that is partial, or lacks files or hours, is accepted as it is."
    )
    var force = false

    @Flag(help: "List all log dates, including those that are complete.")
    var verbose = false

    /// The request with these options applied.
    func applied(to request: DateRequest) -> DateRequest {
        var request = request
        request.isForced = force
        request.retention.isSettling = settle
        return request
    }

    /// `--no-progress` of `run` and `backfill`.
    static let noProgressHelp: ArgumentHelp = "Show no progress on the terminal."
}
