import ArgumentParser
import Cluster
import Foundation
import Pipelines

struct SparkMapCommand: SparkTaskCommand {
    static let configuration = CommandConfiguration(
        commandName: "spark-map",
        abstract: "Read a file of a job on Apache Spark.",
        discussion: """
            Writes the file's events by shard, and its accounts, into the job's folder.

              pushetl spark-map --job out/shards/job.0f1e2d3c4b5a6978 --file 0
            """,
        shouldDisplay: false)

    @Option(help: ArgumentHelp("The number of the file in the job.", valueName: "n"))
    var file: Int

    @Flag(help: "Take the file's bytes from stdin.")
    var stdin = false

    @OptionGroup var task: SparkTaskOptions

    func execute(_ job: ClusterJob, _ resources: TaskResources) throws {
        guard stdin else { return try MapTask(job, file: file, resources).run() }
        let copy = try StandardInput(copyIn: resources.scratch)
        try MapTask(job, file: file, content: copy.path, resources).run()
    }
}
