import ArgumentParser
import Cluster
import Foundation
import Pipelines

struct SparkFiguresCommand: SparkTaskCommand {
    static let configuration = CommandConfiguration(
        commandName: "spark-figures",
        abstract: "Write a shard's figures for a job on Apache Spark.",
        discussion: """
            Writes the figures of the days that the job asks for, as frames, to stdout.

              pushetl spark-figures --job job.json --shard 0 > figures
            """,
        shouldDisplay: false)

    @Option(help: ArgumentHelp("The number of the shard.", valueName: "n"))
    var shard: Int

    @OptionGroup var task: SparkTaskOptions
    @OptionGroup var room: SparkRoomOptions

    func execute(_ job: ClusterJob, _ stop: StopFlag) throws {
        try ShardTask(job, shard: shard, room.resources(stop)).writeFigures(to: STDOUT_FILENO)
    }
}
