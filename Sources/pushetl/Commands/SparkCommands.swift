import ArgumentParser
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

    @OptionGroup var dates: LogDateOptions
    @OptionGroup var range: RangeOptions

    @Option(number: "The number of shards. (default: those of the output)")
    var shards: Int?

    @OptionGroup var retention: RetentionOptions
    @OptionGroup var load: LoadOptions
    @OptionGroup var options: PipelineOptions
    @OptionGroup var printing: PrintingOptions

    /// Its result is that of the plain command.
    var nameInJSON: String { range.isGiven || retention.isGiven ? "backfill" : "run" }

    func validate() throws {
        guard (1...Shards.most).contains(shards ?? 1) else {
            throw ValidationError("--shards takes a number from 1 to \(Shards.most).")
        }
        guard !range.isGiven || !dates.isGiven else {
            throw ValidationError("--date is for one log date: give it, or --from and --to, or --last.")
        }
        if retention.isGiven {
            let standsAlone = !range.isGiven && !dates.isGiven && range.only == nil
            return try retention.check(standsAlone: standsAlone, load)
        }
        guard range.isGiven || range.only == nil else {
            throw ValidationError("--only is for --from and --to, or --last.")
        }
        if range.isGiven { try range.check() }
    }

    func execute(_ output: CommandOutput) throws -> (any CommandResult)? {
        // The reader of the lines waits for it, however the command ends.
        defer { try? ClusterDriver.sayDone(to: STDOUT_FILENO) }
        let pipeline = try options.file.readPipeline(loadsPastDates: range.isGiven || dates.catchUp > 0)
        let loading = Loading(
            pipeline: pipeline, load: load, options: options, printing: printing, output: output, showsProgress: false)
        var request =
            try retention.isGiven
            ? retention.request(pipeline) : range.isGiven ? range.request(pipeline) : dates.request(pipeline)
        request.origin = "spark "
        return try loading.run(request) { run in
            ClusterDriver(run, shards: shards, input: STDIN_FILENO, output: STDOUT_FILENO)
        }
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
