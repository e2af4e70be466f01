import ArgumentParser
import Calendar
import Configuration
import Messages
import Output
import Pipelines

struct StatusCommand: PushetlCommand {
    /// At most this many bytes of logs are read to compare files.
    private static let readLimit = 256 << 20

    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show which log dates are loaded, which need attention and why, and which days are final.",
        discussion: """
            Prints a calendar of the log dates: C complete, P partial, H held back, S stale (a file is new or has other bytes, \
            or the pipeline has changed: 'pushetl backfill' loads it), X shrunk (files of it are gone), D damaged \
            partition, M missing although there are files, . missing. A day is final once a log date more than window_days \
            after it is loaded. After that, only hits that reach the collector even later can change its figures.

              pushetl status
              pushetl status --from 2026-11-01

            For monitoring: exits 65 if a log date needs something, and prints one line for each reason, with its log dates:
              pushetl status --check --quiet

            It looks for stale, partial and missing dates among the last 30, up to yesterday, or from --from on. It looks \
            for dates of any age that are held back, damaged, loaded and not published, or of a former pipeline file and can \
            be loaded again. Yesterday must be loaded. On none of the last 7 loaded log dates may files be missing that the \
            log dates before it had; 'pushetl run --date D --force' accepts such a date as it is.
            """)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The first log date to show: YYYY-MM-DD, yesterday, today, or -N. (default: the first that is known)",
            valueName: "date"),
        transform: { try DateArgument(parsing: $0) })
    var from: DateArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The last log date to show. (default: the last that is known)", valueName: "date"),
        transform: { try DateArgument(parsing: $0) })
    var to: DateArgument?

    @Flag(help: "Exit 65 if a log date needs something, and say which and why.")
    var check = false

    @OptionGroup var threads: JobsOptions
    @OptionGroup var options: PipelineOptions
    @OptionGroup var printing: PrintingOptions

    func execute(_ output: CommandOutput) throws -> (any CommandResult)? {
        let pipeline = try options.readPipeline()
        output.paths = ShownPaths(pipeline.folder)
        let run = PipelineRun(pipeline, output: options.outputFolder, resources: RunResources(jobs: threads.jobs))
        let range = try DateRange(from, to, in: pipeline.zone)
        let (from, to) = (range.from, range.to)
        let known = try StatusCommand.knownLogDates(
            run, pipeline, from: check ? nil : from, to: check ? nil : to, isCheck: check, output)
        let deliveries = try DeliveryReading(pipeline, output: run.output)
        for fault in deliveries.faults { output.warn(fault) }
        guard check else { return try WarehouseStatus(run.output, known, deliveries, output.paths) }
        let needs = try StatusCommand.tellNeeds(known, run, pipeline, from: from, to: to, output)
        return try WarehouseStatus(run.output, known.between(from, to), deliveries, output.paths, needs: needs)
    }

    /// The log dates with what is known of each; says what could not be searched or compared.
    private static func knownLogDates(
        _ run: PipelineRun, _ pipeline: Pipeline, from: LogDate?, to: LogDate?, isCheck: Bool, _ output: CommandOutput
    ) throws -> KnownLogDates {
        let known = try run.knownLogDates(from: from, to: to, readLimit: StatusCommand.readLimit)
        for failure in known.failures {
            // What cannot be searched cannot be checked.
            if isCheck { output.fail(failure) } else { output.warn(failure.message) }
        }
        for warning in known.warnings { output.warn(warning) }
        let loaded = known.states.filter { $0.partition != .missing }.map(\.date)
        for message in FormerPipeline(known.states, loaded: loaded)?.messages() ?? [] { output.warn(message) }
        return known
    }

    /// Says what log dates need. If one needs something, the exit code is 65.
    private static func tellNeeds(
        _ known: KnownLogDates, _ run: PipelineRun, _ pipeline: Pipeline, from: LogDate?, to: LogDate?,
        _ output: CommandOutput
    ) throws -> [LogDateNeed] {
        let yesterday = LogDate.today(in: pipeline.zone).adding(days: -1)
        let needs = known.needs(
            from: from, to: to, yesterday: yesterday, published: try OutputDatabase(run.output).publishedVersions())
        if !needs.isEmpty { output.end(.badData) }
        for message in LogDateNeed.messages(needs) { output.fail(message) }
        return needs
    }

    /// Ends as `status --check` would.
    static func tellNeeds(_ pipeline: Pipeline, _ folder: String?, _ output: CommandOutput) throws {
        output.paths = ShownPaths(pipeline.folder)
        let run = PipelineRun(pipeline, output: folder, resources: RunResources())
        let known = try knownLogDates(run, pipeline, from: nil, to: nil, isCheck: true, output)
        _ = try tellNeeds(known, run, pipeline, from: nil, to: nil, output)
    }
}
