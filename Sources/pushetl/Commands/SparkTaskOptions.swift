import ArgumentParser
import Foundation

/// Options of all tasks.
struct SparkTaskOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The file with the job that spark-drive printed.", valueName: "file"))
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

    var scratchFolder: String {
        scratch ?? ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }

    var log: MessageLog { MessageLog(format: .text) }
}
