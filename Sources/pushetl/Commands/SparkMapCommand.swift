import ArgumentParser
import Foundation
import Pipelines
import Posix

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

    func execute(_ job: ClusterJob, _ resources: TaskResources) throws {
        guard stdin else { return try MapTask(job, file: file, resources).run(to: STDOUT_FILENO) }
        let copy = "\(resources.scratch)/.pushetl-\(getpid()).tmp"
        defer { unlink(copy) }
        try SparkMapCommand.copyInput(to: copy)
        try MapTask(job, file: file, content: copy, resources).run(to: STDOUT_FILENO)
    }

    private static func copyInput(to path: String) throws(SystemError) {
        let file = try FileDescriptor(creating: path)
        defer { file.close() }
        let input = FileDescriptor(STDIN_FILENO, path: "stdin")
        var block = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = try input.fill(&block, 0..<block.count)
            guard count > 0 else { return }
            try file.write(block.span.extracting(first: count))
        }
    }
}
