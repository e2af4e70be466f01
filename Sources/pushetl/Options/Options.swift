import ArgumentParser
import Foundation
import Pipelines

extension MessageLog.Format: ExpressibleByArgument {}

extension DateRequest.Only: ExpressibleByArgument {}

/// The option for the longest wait.
struct WaitOptions: ParsableArguments {
    @Option(number: "How many seconds to wait for others that hold push.db.", valueName: "seconds")
    var wait: Int = 30

    func validate() throws {
        guard (0...86_400).contains(wait) else { throw ValidationError("--wait takes seconds, from 0 to 86400.") }
    }
}

/// The option for the number of threads.
struct JobsOptions: ParsableArguments {
    @Option(number: "The number of worker threads. Without it, one per core.")
    var jobs: Int = ProcessInfo.processInfo.activeProcessorCount

    func validate() throws {
        guard (1...1024).contains(jobs) else { throw ValidationError("--jobs takes a number from 1 to 1024.") }
    }
}

/// The option of commands that load which names a file for monitoring.
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

/// The options of commands that count: threads, memory and the longest wait.
struct WorkOptions: ParsableArguments {
    @OptionGroup var threads: JobsOptions

    @Option(
        help: ArgumentHelp(
            "Memory for events: bytes, or with K, M or G; at least 16M. (default: 1G)", valueName: "size"),
        transform: { try MemorySize(parsing: $0) })
    var memory: MemorySize = MemorySize(bytes: 1 << 30)

    @OptionGroup var patience: WaitOptions
}
