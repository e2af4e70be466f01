import ArgumentParser

/// The option for the longest wait.
struct WaitOptions: ParsableArguments {
    @Option(number: "How many seconds to wait for another command, or for a reader of push.db.", valueName: "seconds")
    var wait: Int = 30

    func validate() throws {
        guard (0...86_400).contains(wait) else { throw ValidationError("--wait takes seconds, from 0 to 86400.") }
    }
}
