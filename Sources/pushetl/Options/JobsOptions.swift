import ArgumentParser
import Foundation

/// The option for the number of threads.
struct JobsOptions: ParsableArguments {
    @Option(number: "The number of worker threads. Without it, one per core.")
    var jobs: Int = ProcessInfo.processInfo.activeProcessorCount

    func validate() throws {
        guard (1...1024).contains(jobs) else { throw ValidationError("--jobs takes a number from 1 to 1024.") }
    }
}
