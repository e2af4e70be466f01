import ArgumentParser
import Calendar
import Cluster
import Configuration
import Events
import Foundation
import Messages
import Pipelines

struct SparkDriveCommand: PushetlCommand {
    static let configuration = CommandConfiguration(
        commandName: "spark-drive",
        abstract: "Plan, judge and finish a load on Apache Spark.",
        discussion: """
            pushetl_spark.py starts it, reads one line of JSON per step from its stdout, runs the tasks of the step, and \
            answers by a line on its stdin. See the article 'On Apache Spark'.

              pushetl spark-drive --date 2026-11-19 --shards 64
            """,
        shouldDisplay: false)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The log date, as for 'run'. (default: yesterday)", valueName: "date"),
        transform: { try DateArgument(parsing: $0) })
    var date: DateArgument?

    @Option(parsing: .unconditional, help: ArgumentHelp("As for 'run'.", valueName: "n"))
    var catchUp: Int = 0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The first log date of several, as for 'backfill'. (default: one log date)", valueName: "date"),
        transform: { try DateArgument(parsing: $0) })
    var from: DateArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The last log date of several. (default: one log date)", valueName: "date"),
        transform: { try DateArgument(parsing: $0) })
    var to: DateArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The last N log dates, as for 'backfill'. (default: one log date)", valueName: "n"))
    var last: Int?

    @Option(help: ArgumentHelp("As for 'backfill'. (default: those that need it)"))
    var only: DateRequest.Only?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The number of shards. (default: those of the output)", valueName: "n"))
    var shards: Int?

    @Flag(help: LoadOptions.settleHelp)
    var settle = false

    @OptionGroup var retention: RetentionOptions
    @OptionGroup var load: LoadOptions
    @OptionGroup var options: PipelineOptions
    @OptionGroup var printing: PrintingOptions

    /// Its result is that of the plain command.
    var nameInJSON: String { isRange || retention.isGiven ? "backfill" : "run" }

    private var isRange: Bool { from != nil || to != nil || last != nil }

    func validate() throws {
        guard (1...Shards.most).contains(shards ?? 1) else {
            throw ValidationError("--shards takes a number from 1 to \(Shards.most).")
        }
        guard (0...DateRequest.mostDates).contains(catchUp) else {
            throw ValidationError("--catch-up takes a number from 0 to \(DateRequest.mostDates).")
        }
        guard !isRange || date == nil && catchUp == 0 else {
            throw ValidationError("--date is for one log date: give it, or --from and --to, or --last.")
        }
        if retention.isGiven {
            try retention.check(standsAlone: !isRange && date == nil && catchUp == 0 && only == nil, load)
            return
        }
        guard isRange || only == nil else { throw ValidationError("--only is for --from and --to, or --last.") }
        try BackfillCommand.checkRange(from, to, last: isRange ? last : 1)
    }

    func execute(_ output: CommandOutput) throws -> (any CommandResult)? {
        // The reader of the lines waits for it, however the command ends.
        defer { try? ClusterDriver.sayDone(to: STDOUT_FILENO) }
        let pipeline = try options.readPipeline(loadsPastDates: isRange || catchUp > 0)
        let loading = Loading(
            pipeline: pipeline, load: load, options: options, printing: printing, output: output, showsProgress: false)
        let (request, command) = try request(pipeline)
        return try loading.run(request, command: command) { run in
            ClusterDriver(run, shards: shards, input: STDIN_FILENO, output: STDOUT_FILENO)
        }
    }

    /// What is asked for, and the text for `runs`.
    private func request(_ pipeline: Pipeline) throws -> (DateRequest, command: String) {
        var (request, command) = try loadRequest(pipeline)
        if retention.isGiven {
            (request, command) = (DateRequest(retention.request(pipeline)), "backfill" + retention.text(pipeline))
        }
        request.acceptsLoss = load.acceptLoss
        request.retention.isSettling = settle
        return (request, "spark " + command + (settle ? " --settle" : ""))
    }

    private func loadRequest(_ pipeline: Pipeline) throws -> (DateRequest, command: String) {
        guard isRange else {
            let date = (date ?? .daysAgo(1)).logDate(in: pipeline.zone)
            return (
                DateRequest(date, catchUp: catchUp, isForced: load.force),
                "run --date \(date)" + (catchUp > 0 ? " --catch-up \(catchUp)" : "")
            )
        }
        let range = try BackfillCommand.range(from, to, last: last, in: pipeline.zone)
        return (
            DateRequest(from: range.lowerBound, to: range.upperBound, only: only, isForced: load.force),
            BackfillCommand.text(range, only)
        )
    }
}

/// A command that Apache Spark runs as a task. It finds all in the job's folder, and prints nothing.
protocol SparkTaskCommand: ParsableCommand {
    var task: SparkTaskOptions { get }

    func execute(_ job: ClusterJob, _ resources: TaskResources) throws
}

extension SparkTaskCommand {
    mutating func run() throws {
        let stopping = Stopping()
        do {
            try execute(ClusterJob(folder: task.job), task.resources(stopping.flag))
        } catch is Stopped {
            throw ExitCode(stopping.flag.exitCode)
        } catch let error as PipelineFileError {
            for message in error.messages { task.log.write(message, .error) }
            throw ExitCode(ExitStatus.badPipeline.rawValue)
        } catch {
            task.log.write(Message(of: error).shown(ShownPaths(FileManager.default.currentDirectoryPath)), .error)
            throw ExitCode(ExitStatus(of: error).rawValue)
        }
    }
}

/// The options of all tasks: the job, the memory of the task, and its room on the disk.
struct SparkTaskOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The job's folder, as spark-drive printed it.", valueName: "dir"))
    var job: String

    @Option(
        help: ArgumentHelp(
            "Memory for events: bytes, or with K, M or G; at least 16M. (default: 1G)", valueName: "size"),
        transform: { try MemorySize(parsing: $0) })
    var memory: MemorySize = MemorySize(bytes: 1 << 30)

    @Option(
        help: ArgumentHelp(
            "A folder on this machine's own disk, for temporary files. (default: the environment's TMPDIR, else /tmp)",
            valueName: "dir"))
    var scratch: String?

    var log: MessageLog { MessageLog(format: .text) }

    func resources(_ stop: StopFlag) -> TaskResources {
        let folder = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        return TaskResources(memory: memory.bytes, scratch: scratch ?? folder, stop: stop)
    }
}

struct SparkMapCommand: SparkTaskCommand {
    static let configuration = CommandConfiguration(
        commandName: "spark-map",
        abstract: "Read a file of a job on Apache Spark.",
        discussion: """
            Writes the file's events by shard, and its accounts, into the job's folder.

              pushetl spark-map --job out/shards/job.0f1e2d3c4b5a6978 --file 0
            """,
        shouldDisplay: false)

    @Option(help: ArgumentHelp("The number of the file in the job.", valueName: "n"))
    var file: Int

    @Flag(help: "Take the file's bytes from stdin.")
    var stdin = false

    @OptionGroup var task: SparkTaskOptions

    func execute(_ job: ClusterJob, _ resources: TaskResources) throws {
        guard stdin else { return try MapTask(job, file: file, resources).run() }
        let copy = try StandardInput(copyIn: resources.scratch)
        try MapTask(job, file: file, content: copy.path, resources).run()
    }
}

struct SparkReduceCommand: SparkTaskCommand {
    static let configuration = CommandConfiguration(
        commandName: "spark-reduce",
        abstract: "Load a shard of a job on Apache Spark.",
        discussion: """
            Reads the shard's events from the job's folder, and writes its partitions.

              pushetl spark-reduce --job out/shards/job.0f1e2d3c4b5a6978 --shard 0
            """,
        shouldDisplay: false)

    @Option(help: ArgumentHelp("The number of the shard.", valueName: "n"))
    var shard: Int

    @OptionGroup var task: SparkTaskOptions

    func execute(_ job: ClusterJob, _ resources: TaskResources) throws {
        try ShardTask(job, shard: shard, resources).run()
    }
}
