import ArgumentParser

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
