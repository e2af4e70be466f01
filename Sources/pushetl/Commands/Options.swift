import ArgumentParser
import Calendar
import Configuration
import Foundation
import LogFiles
import Messages
import Output
import Partitions
import Pipelines

/// The option that names the pipeline file.
struct PipelineFileOptions: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The pipeline file. (default: the environment's PUSHETL_PIPELINE, else Pipelines/push.yaml)",
            valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var pipeline: String?

    func validate() throws {
        guard pipeline != "" else { throw ValidationError("--pipeline takes a file, and was given an empty name.") }
    }

    var pipelineFile: String {
        pipeline ?? ProcessInfo.processInfo.environment["PUSHETL_PIPELINE"].flatMap { $0.isEmpty ? nil : $0 }
            ?? "Pipelines/push.yaml"
    }

    /// Reads the pipeline file. To load past dates, its patterns must contain the date.
    func readPipeline(loadsPastDates: Bool = false) throws(PipelineFileError) -> Pipeline {
        let pipeline = try PipelineFile.read(pipelineFile)
        if loadsPastDates { try pipeline.checkDatePlaceholders() }
        return pipeline
    }
}

/// Options that name the pipeline and its output.
struct PipelineOptions: ParsableArguments {
    @OptionGroup var file: PipelineFileOptions

    @Option(
        help: ArgumentHelp("The folder of push.db. (default: the pipeline file's 'output')", valueName: "dir"),
        completion: .directory)
    var output: String?

    func validate() throws {
        guard output != "" else { throw ValidationError("--output takes a folder, and was given an empty name.") }
        guard output.flatMap(FilePattern.uriRoot) == nil else {
            throw ValidationError("--output takes the path of a folder, and was given a URI.")
        }
    }

    /// The absolute folder that `--output` names.
    var outputFolder: String? {
        output.map { URL(fileURLWithPath: $0, isDirectory: true).standardizedFileURL.path }
    }

    /// The output that the command uses.
    /// - Throws: if pushetl 1.x has written it.
    func output(of pipeline: Pipeline?) throws(WarehouseError) -> OutputFolder {
        let folder = OutputFolder(outputFolder ?? pipeline?.output ?? "")
        try OutputDatabase(folder).refuseFormer()
        return folder
    }

    /// The folder of the output; nil if the pipeline file does not tell it. The command itself reports what is wrong in the file.
    var knownOutput: String? { outputFolder ?? (try? file.readPipeline())?.output }

    /// Reads the pipeline file for a command that needs it only to find the output. Nil where --output is enough: it is given,
    /// and --pipeline is not.
    func readPipelineIfNeeded() throws(PipelineFileError) -> Pipeline? {
        outputFolder != nil && file.pipeline == nil ? nil : try file.readPipeline()
    }
}

/// How a command prints its result and its messages.
struct PrintingOptions: ParsableArguments {
    @Flag(help: "Print the result as JSON.")
    var json = false

    @Flag(name: [.short, .long], help: "Print only warnings and errors, and with --json the result.")
    var quiet = false

    @Option(help: "How to write messages on stderr: as text, or as JSON, one object per line, without progress.")
    var logFormat: MessageLog.Format = .text

    /// Where messages go.
    var log: MessageLog { MessageLog(format: logFormat) }

    /// Whether there is a terminal to show progress on, and nothing else is wanted there.
    var mayShowProgress: Bool { !quiet && logFormat == .text && isatty(STDERR_FILENO) == 1 }
}

extension MessageLog.Format: ExpressibleByArgument {}

/// With how many threads a command works.
struct JobsOptions: ParsableArguments {
    @Option(number: "The number of worker threads. Without it, one per core.")
    var jobs: Int = ProcessInfo.processInfo.activeProcessorCount

    func validate() throws {
        guard (1...1024).contains(jobs) else { throw ValidationError("--jobs takes a number from 1 to 1024.") }
    }
}

/// How long a command waits.
struct WaitOptions: ParsableArguments {
    @Option(number: "How many seconds to wait for others that hold push.db.", valueName: "seconds")
    var wait: Int = 30

    func validate() throws {
        guard (0...86_400).contains(wait) else { throw ValidationError("--wait takes seconds, from 0 to 86400.") }
    }
}

/// How a command that counts works: its threads, memory and patience.
struct WorkOptions: ParsableArguments {
    @OptionGroup var threads: JobsOptions

    @Option(
        help: ArgumentHelp(
            "Memory for events: bytes, or with K, M or G; at least 16M. (default: 1G)", valueName: "size"),
        transform: { try MemorySize(parsing: $0) })
    var memory: MemorySize = MemorySize(bytes: 1 << 30)

    @OptionGroup var patience: WaitOptions
}

/// One log date, and those before it that need something.
struct LogDateOptions: ParsableArguments {
    @Option(
        date:
            "The log date: YYYY-MM-DD, yesterday, today, or -N for N days ago, in the pipeline's time zone. (default: yesterday)"
    )
    var date: DateArgument?

    @Option(number: "Also load those of the N log dates before it that are missing, partial, held back or stale.")
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

extension DateRequest.Only: ExpressibleByArgument {}

/// The options of commands that load.
struct LoadOptions: ParsableArguments {
    @Flag(
        help:
            "Close more than 7 log dates at once, as the first night with 'retention' does. Their figures stay for ever; later, their ids are erased."
    )
    var settle = false

    @OptionGroup var work: WorkOptions

    @Flag(
        help:
            "Let a partial load replace a complete partition, and load dates with too many rejects or lost events."
    )
    var force = false

    @Flag(help: "List all log dates, including those that are complete.")
    var verbose = false

    /// The request with what these options say of it.
    func applied(to request: DateRequest) -> DateRequest {
        var request = request
        request.isForced = force
        request.retention.isSettling = settle
        return request
    }

    /// `--no-progress` of `run` and `backfill`.
    static let noProgressHelp: ArgumentHelp = "Show no progress on the terminal."
}

/// The option of the commands that load which tells monitoring how they ended.
struct MetricsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write metrics for Prometheus to this file, also if the command fails. (default: no metrics)",
            valueName: "file"),
        completion: .file(extensions: ["prom"]))
    var metrics: String?

    func validate() throws {
        guard metrics != "" else { throw ValidationError("--metrics takes a file, and was given an empty name.") }
    }
}

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
