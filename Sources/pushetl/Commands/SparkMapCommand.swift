import ArgumentParser
import Cluster
import Foundation
import Pipelines

struct SparkMapCommand: SparkTaskCommand {
    static let configuration = CommandConfiguration(
        commandName: "spark-map",
        abstract: "Read a file of a job on Apache Spark.",
        discussion: """
            Writes the file's events by shard, and its accounts, as frames to stdout.

              pushetl spark-map --job job.json --file 0 > frames
            """,
        shouldDisplay: false)

    @Option(help: ArgumentHelp("The number of the file in the job.", valueName: "n"))
    var file: Int

    @Flag(help: "Take the file's bytes from stdin.")
    var stdin = false

    @OptionGroup var task: SparkTaskOptions
    @OptionGroup var room: SparkRoomOptions

    func execute(_ job: ClusterJob, _ stop: StopFlag) throws {
        let resources = room.resources(stop)
        guard stdin else { return try MapTask(job, file: file, resources).run(to: STDOUT_FILENO) }
        let copy = try StandardInput(copyIn: resources.scratch)
        try MapTask(job, file: file, content: copy.path, resources).run(to: STDOUT_FILENO)
    }
}
