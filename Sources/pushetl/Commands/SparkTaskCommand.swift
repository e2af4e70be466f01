import ArgumentParser
import Configuration
import Foundation
import Pipelines

/// A command that Apache Spark runs as a task: it reads frames from stdin and writes frames to stdout.
protocol SparkTaskCommand: ParsableCommand {
    var task: SparkTaskOptions { get }

    func execute(_ job: ClusterJob, _ resources: TaskResources) throws
}

extension SparkTaskCommand {
    mutating func run() throws {
        let stopping = Stopping()
        do {
            try execute(
                ClusterJob(file: task.job),
                TaskResources(memory: task.memory.bytes, scratch: task.scratchFolder, stop: stopping.flag))
        } catch is Stopped {
            throw ExitCode(stopping.flag.exitCode)
        } catch let error as PipelineFileError {
            for problem in error.problems { task.log.write(Message(problem), .error) }
            throw ExitCode(ExitStatus(of: error).rawValue)
        } catch {
            let message = Message(error, Sentence())
            task.log.write(message, .error)
            throw ExitCode(ExitStatus(of: error).rawValue)
        }
    }
}

/// Options of all tasks.
struct SparkTaskOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The file with the job, as spark-drive has printed it.", valueName: "file"))
    var job: String

    @Option(
        help: ArgumentHelp(
            "Memory for events in hand: bytes, or with K, M or G; at least 16M. (default: 1G)", valueName: "size"),
        transform: { try MemorySize(parsing: $0) })
    var memory: MemorySize = MemorySize(bytes: 1 << 30)

    @Option(
        help: ArgumentHelp(
            "A folder on this machine's own disk, for temporary files. (default: the environment's TMPDIR, else /tmp)",
            valueName: "dir"))
    var scratch: String?

    var scratchFolder: String {
        scratch ?? ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }

    var log: MessageLog { MessageLog(format: .text) }
}
