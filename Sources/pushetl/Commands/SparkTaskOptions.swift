import ArgumentParser
import Cluster
import Foundation
import Pipelines

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
