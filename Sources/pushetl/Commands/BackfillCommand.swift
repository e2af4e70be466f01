import ArgumentParser
import Calendar
import Pipelines

struct BackfillCommand: PushetlCommand {
    static let configuration = CommandConfiguration(
        commandName: "backfill",
        abstract: "Load the log dates of a range that need it, and publish once.",
        discussion: """
            Loads the log dates that are missing, partial, held back or stale. A date is stale if a file is new or has \
            other bytes, or if the meaning of the pipeline file has changed. A date that has lost files is shrunk: it \
            stays as it is, unless --only all or 'pushetl run --date' loads it. A date whose last load was held back is \
            read again once its files, the pipeline or the dates that its volume was compared with have changed, or with \
            --force; if it would lose events, also with --accept-loss.

            What would be loaded, and why:
              pushetl backfill --from 2026-11-01 --to 2026-11-30 --dry-run

            Load it. If it is stopped, the same command does the rest:
              pushetl backfill --from 2026-11-01 --to 2026-11-30

            The last 30 log dates, up to yesterday:
              pushetl backfill --last 30

            Everything again:
              pushetl backfill --from 2026-11-01 --to 2026-11-30 --only all

            With 'retention' in the pipeline file, old log dates are closed one by one. One that is held back, missing, stale \
            or damaged keeps all ids after it, until it is loaded, or passed on purpose:
              pushetl backfill --skip 2026-08-03
            """)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The first log date: YYYY-MM-DD, yesterday, today, or -N for N days ago. (required without --last)",
            valueName: "date"),
        transform: { try DateArgument(parsing: $0) })
    var from: DateArgument?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The last log date. (required without --last)", valueName: "date"),
        transform: { try DateArgument(parsing: $0) })
    var to: DateArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The last N log dates, up to yesterday, instead of --from and --to. (default: --from and --to)",
            valueName: "n"))
    var last: Int?

    @Option(
        help: ArgumentHelp(
            "Load only those that are missing, partial, stale or held back; or all that have files. (default: those that are missing, partial, stale or held back)"
        ))
    var only: DateRequest.Only?

    @Flag(help: "Say what would be loaded and why, and what would be closed, settled and erased; write nothing.")
    var dryRun = false

    @Flag(help: LoadOptions.settleHelp)
    var settle = false

    @Flag(help: LoadOptions.noProgressHelp)
    var noProgress = false

    @OptionGroup var retention: RetentionOptions
    @OptionGroup var load: LoadOptions
    @OptionGroup var metrics: MetricsOptions
    @OptionGroup var options: PipelineOptions
    @OptionGroup var printing: PrintingOptions

    var metricsFile: String? { metrics.metrics }
    var metricsFolder: String? { options.knownOutput }

    func validate() throws {
        if retention.isGiven {
            try retention.check(
                standsAlone: from == nil && to == nil && last == nil && only == nil && !dryRun, load)
            return
        }
        guard !dryRun || metrics.metrics == nil else {
            throw ValidationError("--dry-run writes nothing: leave --metrics out.")
        }
        try BackfillCommand.checkRange(from, to, last: last)
    }

    func execute(_ output: CommandOutput) throws -> (any CommandResult)? {
        let pipeline = try options.readPipeline(loadsPastDates: true)
        let loading = Loading(
            pipeline: pipeline, load: load, options: options, printing: printing, output: output,
            showsProgress: !noProgress)
        let settling = settle ? " --settle" : ""
        if retention.isGiven {
            var request = DateRequest(retention.request(pipeline))
            request.retention.isSettling = settle
            return try loading.run(request, command: "backfill" + retention.text(pipeline) + settling)
        }
        let range = try BackfillCommand.range(from, to, last: last, in: pipeline.zone)
        var request = DateRequest(from: range.lowerBound, to: range.upperBound, only: only, isForced: load.force)
        request.acceptsLoss = load.acceptLoss
        request.retention.isSettling = settle
        if dryRun { return try loading.forecast(request) }
        return try loading.run(request, command: BackfillCommand.text(range, only) + settling)
    }

    /// The log dates that the options name.
    static func range(
        _ from: DateArgument?, _ to: DateArgument?, last: Int?, in zone: ZoneRules
    ) throws(ValidationError) -> ClosedRange<LogDate> {
        let (from, to) = (from ?? .daysAgo(last ?? 1), to ?? .daysAgo(1))
        let (first, end) = (from.logDate(in: zone), to.logDate(in: zone))
        _ = try DateRange(from, to, in: zone)
        guard end.dayNumber - first.dayNumber < DateRequest.mostDates else {
            throw ValidationError("--from \(first) and --to \(end) are more than a hundred years apart.")
        }
        return first...end
    }

    /// The command as `runs` has it.
    static func text(_ range: ClosedRange<LogDate>, _ only: DateRequest.Only?) -> String {
        "backfill --from \(range.lowerBound) --to \(range.upperBound)" + (only.map { " --only \($0.rawValue)" } ?? "")
    }

    /// Checks the options that name several log dates.
    static func checkRange(_ from: DateArgument?, _ to: DateArgument?, last: Int?) throws(ValidationError) {
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
        try DateRange.check(from, to)
    }
}

extension DateRequest.Only: ExpressibleByArgument {}
