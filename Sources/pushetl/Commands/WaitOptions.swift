import ArgumentParser

/// How long a command waits.
struct WaitOptions: ParsableArguments {
    // A negative number is parsed as a value, so that `validate` can refuse it by name.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many seconds to wait for others that hold push.db.", valueName: "seconds"))
    var wait: Int = 30

    func validate() throws {
        guard (0...86_400).contains(wait) else { throw ValidationError("--wait takes seconds, from 0 to 86400.") }
    }
}
