import ArgumentParser
import Cluster
import Configuration
import Foundation
import Messages
import Pipelines

/// Apache Spark runs it as a task. It finds all in the job's folder, and prints nothing.
struct SparkReadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spark-read",
        abstract: "Read a file of a job on Apache Spark.",
        discussion: """
            Writes the file's events, and what was read, filtered and rejected, into the job's folder.

              pushetl spark-read --job out/partitions/.jobs/0f1e2d3c4b5a6978 --file 0
            """,
        shouldDisplay: false)

    @Option(help: ArgumentHelp("The job's folder, as spark-plan printed it.", valueName: "dir"))
    var job: String

    @Option(help: ArgumentHelp("The number of the file in the job.", valueName: "n"))
    var file: Int

    @Flag(help: "Take the file's bytes from stdin.")
    var stdin = false

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

    func run() throws {
        let stopping = Stopping()
        let log = MessageLog(format: .text)
        do {
            let folder = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
            let resources = TaskResources(memory: memory.bytes, scratch: scratch ?? folder, stop: stopping.flag)
            let copy = stdin ? try StandardInput(copyIn: resources.scratch) : nil
            try withExtendedLifetime(copy) {
                try ReadTask(ClusterJob(folder: job), file: file, content: copy?.path, resources: resources).run()
            }
        } catch is Stopped {
            throw ExitCode(stopping.flag.exitCode)
        } catch let error as PipelineFileError {
            for message in error.messages { log.write(message, as: .error) }
            throw ExitCode(ExitStatus.badPipeline.rawValue)
        } catch {
            log.write(Message(of: error).shown(ShownPaths(FileManager.default.currentDirectoryPath)), as: .error)
            throw ExitCode(ExitStatus(of: error).rawValue)
        }
    }
}
