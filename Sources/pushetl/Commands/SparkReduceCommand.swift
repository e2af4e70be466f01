import ArgumentParser
import Cluster
import Foundation
import Pipelines

struct SparkReduceCommand: SparkTaskCommand {
    static let configuration = CommandConfiguration(
        commandName: "spark-reduce",
        abstract: "Load a shard of a job on Apache Spark.",
        discussion: """
            Reads the shard's events as frames from stdin, writes its partitions, compares them and counts, and writes a \
            report to stdout.

              pushetl spark-reduce --job job.json --shard 0 < frames > report
            """,
        shouldDisplay: false)

    @Option(help: ArgumentHelp("The number of the shard.", valueName: "n"))
    var shard: Int

    @OptionGroup var task: SparkTaskOptions
    @OptionGroup var room: SparkRoomOptions

    func execute(_ job: ClusterJob, _ stop: StopFlag) throws {
        try ShardTask(job, shard: shard, room.resources(stop)).reduce(from: STDIN_FILENO, to: STDOUT_FILENO)
    }
}
