import ArgumentParser

/// The option of all tasks.
struct SparkTaskOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The file with the job that spark-drive printed.", valueName: "file"))
    var job: String

    var log: MessageLog { MessageLog(format: .text) }
}
