import ArgumentParser
import Configuration
import Pipelines

/// Several log dates.
struct RangeOptions: ParsableArguments {
    @Option(date: "The first log date: YYYY-MM-DD, yesterday, today, or -N for N days ago. (required without --last)")
    var from: DateArgument?

    @Option(date: "The last log date. (required without --last)")
    var to: DateArgument?

    @Option(number: "The last N log dates, up to yesterday, instead of --from and --to. (default: --from and --to)")
    var last: Int?

    @Option(
        help: ArgumentHelp(
            "Load only those that are missing, partial, stale, held, damaged or shrunk; or all that have files. (default: those that are missing, partial, held, damaged or stale)"
        ))
    var only: DateRequest.Only?

    var isGiven: Bool { from != nil || to != nil || last != nil }

    func check() throws(ValidationError) {
        if let last {
            guard from == nil, to == nil else {
                throw ValidationError("--last stands for --from and --to: give either it or them.")
            }
            guard (1...DateRequest.mostDates).contains(last) else {
                throw ValidationError("--last takes a number from 1 to \(DateRequest.mostDates).")
            }
            return
        }
        guard from != nil, to != nil else {
            throw ValidationError("Which log dates? Give --from and --to, or --last.")
        }
        try DateRange.check(from: from, to: to)
    }

    func request(_ pipeline: Pipeline) throws(ValidationError) -> DateRequest {
        let from = from ?? .daysAgo(last ?? 1)
        let to = to ?? .daysAgo(1)
        _ = try DateRange(from: from, to: to, in: pipeline.zone)
        let first = from.logDate(in: pipeline.zone)
        let end = to.logDate(in: pipeline.zone)
        guard end.days(since: first) < DateRequest.mostDates else {
            throw ValidationError("--from \(first) and --to \(end) are more than a hundred years apart.")
        }
        return DateRequest(from: first, to: end, only: only)
    }
}
