import ArgumentParser
import LogFiles
import Pipelines

struct BackfillCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backfill",
        abstract: "Load the log dates of a range that need it, and publish once.",
        discussion: """
            Loads the log dates that are missing, partial or stale. A date is stale if a file is new or has other \
            bytes, or if the pipeline file means something else now. One that has lost files is shrunk: it stays as \
            it is, unless --only all or 'pushetl run --date' loads it.

            What would be done, and why:
              pushetl backfill --from 2026-11-01 --to 2026-11-30 --dry-run

            The same in earnest; stopped and run again it goes on where it was:
              pushetl backfill --from 2026-11-01 --to 2026-11-30

            Everything again:
              pushetl backfill --from 2026-11-01 --to 2026-11-30 --only all
            """)

    @Option(help: ArgumentHelp("The first log date, YYYY-MM-DD.", valueName: "date"))
    var from: LogDate

    @Option(help: ArgumentHelp("The last log date, YYYY-MM-DD.", valueName: "date"))
    var to: LogDate

    @Option(help: "Load only those that are missing, or only stale ones, or all that have files.")
    var only: DateRequest.Only?

    @Flag(help: "Say what would be loaded and why, and write nothing.")
    var dryRun = false

    @OptionGroup var load: LoadOptions
    @OptionGroup var options: PipelineOptions

    func validate() throws {
        guard from <= to else {
            throw ValidationError("--from \(from) is after --to \(to); give the earlier date first.")
        }
        guard to.dayNumber - from.dayNumber < DateRequest.mostDates else {
            throw ValidationError("--from \(from) and --to \(to) are more than a hundred years apart.")
        }
    }

    func run() throws {
        let pipeline = try options.readPipeline(loadsPastDates: true)
        let loading = Loading(pipeline: pipeline, load: load, options: options)
        let request = DateRequest(from: from, to: to, only: only)
        if dryRun { return try loading.forecast(request) }
        try loading.run(
            request, command: "backfill --from \(from) --to \(to)" + (only.map { " --only \($0.rawValue)" } ?? ""))
    }
}

extension DateRequest.Only: ExpressibleByArgument {}
