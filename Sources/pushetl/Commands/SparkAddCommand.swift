import ArgumentParser
import Cluster
import Foundation
import Pipelines

struct SparkAddCommand: SparkTaskCommand {
    static let configuration = CommandConfiguration(
        commandName: "spark-add",
        abstract: "Add up the figures of a day for a job on Apache Spark.",
        discussion: """
            Reads the shards' figures of the day, as frames, from stdin, and writes their sum to stdout.

              pushetl spark-add --job job.json --day 2147504423 < figures > sum
            """,
        shouldDisplay: false)

    @Option(help: ArgumentHelp("The key of the day in frames.", valueName: "key"))
    var day: UInt32

    @OptionGroup var task: SparkTaskOptions

    func execute(_ job: ClusterJob, _ stop: StopFlag) throws {
        try AddTask(job, key: day, stop: stop).run(from: STDIN_FILENO, to: STDOUT_FILENO)
    }
}
