import ArgumentParser

struct BackfillCommand: PushetlCommand {
    static let configuration = CommandConfiguration(
        commandName: "backfill",
        abstract: "Load the log dates of a range that need it, and publish once.",
        discussion: """
            Loads the log dates that are missing, damaged, partial, held back or stale. A date is stale if a file is new or \
            has another content, or if the meaning of the pipeline file has changed. A date that has lost files is shrunk: \
            it stays as it is, unless --only all, --only shrunk or 'pushetl run --date' loads it. A date whose last load was held back is \
            read again once its files or the pipeline have changed, or with --force.

            What would be loaded, and why:
              pushetl backfill --from 2026-11-01 --to 2026-11-30 --dry-run

            Load it. If it is stopped, the same command does the rest:
              pushetl backfill --from 2026-11-01 --to 2026-11-30

            The last 30 log dates, up to yesterday:
              pushetl backfill --last 30

            Everything again:
              pushetl backfill --from 2026-11-01 --to 2026-11-30 --only all

            With 'retention' in the pipeline file, old log dates are closed one by one. One that is held back, missing, stale \
            or damaged keeps all ids after it, until it is loaded, or given up:
              pushetl backfill --give-up 2026-08-03
            """)

    @OptionGroup var range: RangeOptions

    @Flag(help: "Say what would be loaded and why, and what would be closed, settled and erased; write nothing.")
    var dryRun = false

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
            return try retention.check(standsAlone: !range.isGiven && range.only == nil && !dryRun)
        }
        guard !dryRun || metrics.metrics == nil else {
            throw ValidationError("--dry-run writes nothing: leave --metrics out.")
        }
        try range.check()
    }

    func execute(_ output: CommandOutput) throws -> (any CommandResult)? {
        // To give up a log date, none is loaded.
        let pipeline = try options.file.readPipeline(loadsPastDates: !retention.isGiven)
        let loading = Loading(
            pipeline: pipeline, load: load, options: options, printing: printing, output: output,
            showsProgress: !noProgress)
        let request = try retention.isGiven ? retention.request(pipeline) : range.request(pipeline)
        return try dryRun ? loading.forecast(request) : loading.run(request)
    }
}
