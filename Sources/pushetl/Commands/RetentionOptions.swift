import ArgumentParser
import Calendar
import Configuration
import Pipelines

/// The options of `backfill` that are about one old log date.
struct RetentionOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Let 'retention' pass a log date that is held back, missing, stale or damaged: it is loaded no more. (default: none)",
            valueName: "date"), transform: { try DateArgument(parsing: $0) })
    var skip: DateArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Take the figures of a closed log date out of push.db for good, since its settled file is lost. (default: none)",
            valueName: "date"), transform: { try DateArgument(parsing: $0) })
    var forget: DateArgument?

    var isGiven: Bool { skip != nil || forget != nil }

    /// - Parameters:
    ///   - standsAlone: whether no log date to be loaded is given.
    ///   - load: the options of a load.
    func check(standsAlone: Bool, _ load: LoadOptions) throws(ValidationError) {
        guard skip == nil || forget == nil else { throw ValidationError("Give either --skip or --forget.") }
        guard standsAlone else {
            throw ValidationError("--skip and --forget are about one log date: give no others, and no --dry-run.")
        }
        guard !load.acceptLoss else {
            throw ValidationError("--accept-loss does nothing for --skip and --forget: leave it out.")
        }
        guard skip == nil || !load.force else {
            throw ValidationError("--force does nothing for --skip: leave it out.")
        }
    }

    func request(_ pipeline: Pipeline) -> RetentionRequest {
        RetentionRequest(
            skipped: skip?.logDate(in: pipeline.zone), forgotten: forget?.logDate(in: pipeline.zone))
    }

    /// As it was given, with the date.
    func text(_ pipeline: Pipeline) -> String {
        (skip.map { " --skip \($0.logDate(in: pipeline.zone))" } ?? "")
            + (forget.map { " --forget \($0.logDate(in: pipeline.zone))" } ?? "")
    }
}
