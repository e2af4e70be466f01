import ArgumentParser
import Configuration
import Pipelines

/// The options of `backfill` that are about one old log date.
struct RetentionOptions: ParsableArguments {
    @Option(
        date:
            """
            Give up a log date that keeps ids of later ones: one that is held back, missing, stale or damaged is passed; the \
            figures of a closed one whose partition is damaged or gone are taken out of push.db for good. (default: none)
            """
    )
    var giveUp: DateArgument?

    var isGiven: Bool { giveUp != nil }

    /// - Parameter standsAlone: whether no log date to be loaded is given.
    func check(standsAlone: Bool) throws(ValidationError) {
        guard standsAlone else {
            throw ValidationError("--give-up is about one log date: give no others, and no --dry-run.")
        }
    }

    func request(_ pipeline: Pipeline) -> DateRequest {
        DateRequest(RetentionRequest(givenUp: giveUp?.logDate(in: pipeline.zone)))
    }
}
