import ArgumentParser
import Configuration
import Pipelines

/// The option for one log date, and the option for earlier log dates that need something.
struct LogDateOptions: ParsableArguments {
    @Option(
        date:
            "The log date: YYYY-MM-DD, yesterday, today, or -N for N days ago, in the pipeline's time zone. (default: yesterday)"
    )
    var date: DateArgument?

    @Option(
        number: "Also load those of the N log dates before it that are missing, damaged, partial, held back or stale.")
    var catchUp: Int = 0

    var isGiven: Bool { date != nil || catchUp != 0 }

    func validate() throws {
        guard (0...DateRequest.mostDates).contains(catchUp) else {
            throw ValidationError("--catch-up takes a number from 0 to \(DateRequest.mostDates).")
        }
    }

    func request(_ pipeline: Pipeline) -> DateRequest {
        DateRequest((date ?? .daysAgo(1)).logDate(in: pipeline.zone), catchUp: catchUp)
    }
}
