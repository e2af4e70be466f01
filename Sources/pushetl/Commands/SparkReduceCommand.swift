import ArgumentParser
import Cluster
import Pipelines

struct SparkReduceCommand: SparkTaskCommand {
    static let configuration = CommandConfiguration(
        commandName: "spark-reduce",
        abstract: "Load a shard of a job on Apache Spark.",
        discussion: """
            Reads the shard's events from the job's folder, and writes its partitions.

              pushetl spark-reduce --job out/shards/job.0f1e2d3c4b5a6978 --shard 0
            """,
        shouldDisplay: false)

    @Option(help: ArgumentHelp("The number of the shard.", valueName: "n"))
    var shard: Int

    @OptionGroup var task: SparkTaskOptions

    func execute(_ job: ClusterJob, _ resources: TaskResources) throws {
        try ShardTask(job, shard: shard, resources).run()
    }
}
