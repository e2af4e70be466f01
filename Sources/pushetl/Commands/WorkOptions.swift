import ArgumentParser
import Foundation

/// How a command works: its threads, memory and patience.
struct WorkOptions: ParsableArguments {
    // A negative number is parsed as a value, so that `validate` can refuse it by name.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The number of worker threads. Without it, one per core.", valueName: "n"))
    var jobs: Int = ProcessInfo.processInfo.activeProcessorCount

    @Option(
        help: ArgumentHelp(
            "Memory for events: bytes, or with K, M or G; at least 16M. (default: 1G)", valueName: "size"),
        transform: { try MemorySize(parsing: $0) })
    var memory: MemorySize = MemorySize(bytes: 1 << 30)

    @Flag(help: "List all log dates, including those that are complete.")
    var verbose = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many seconds to wait for a reader of push.db.", valueName: "seconds"))
    var wait: Int = 30

    @Flag(help: "Show no progress on the terminal.")
    var noProgress = false

    func validate() throws {
        guard (1...1024).contains(jobs) else { throw ValidationError("--jobs takes a number from 1 to 1024.") }
        guard (0...86_400).contains(wait) else { throw ValidationError("--wait takes seconds, from 0 to 86400.") }
    }
}
