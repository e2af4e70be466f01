import ArgumentParser
import Foundation

/// With how many threads a command works.
struct JobsOptions: ParsableArguments {
    // A negative number is parsed as a value, so that `validate` can refuse it by name.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The number of worker threads. Without it, one per core.", valueName: "n"))
    var jobs: Int = ProcessInfo.processInfo.activeProcessorCount

    func validate() throws {
        guard (1...1024).contains(jobs) else { throw ValidationError("--jobs takes a number from 1 to 1024.") }
    }
}
