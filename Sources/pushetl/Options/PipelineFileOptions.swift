import ArgumentParser
import Configuration
import Foundation

struct PipelineFileOptions: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The pipeline file. (default: the environment's PUSHETL_PIPELINE, else Pipelines/push.yaml)",
            valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var pipeline: String?

    func validate() throws {
        guard pipeline != "" else { throw ValidationError("--pipeline takes a file, and was given an empty name.") }
    }

    var pipelineFile: String {
        pipeline ?? ProcessInfo.processInfo.environment["PUSHETL_PIPELINE"].flatMap { $0.isEmpty ? nil : $0 }
            ?? "Pipelines/push.yaml"
    }

    /// For a command in a message.
    var inCommands: String { pipeline.map { " --pipeline \(Shell.argument($0))" } ?? "" }

    /// Reads the pipeline file. To load past dates, its patterns must contain the date.
    func readPipeline(loadsPastDates: Bool = false) throws(PipelineFileError) -> Pipeline {
        let pipeline = try PipelineFile.read(pipelineFile)
        if loadsPastDates { try pipeline.checkDatePlaceholders() }
        return pipeline
    }
}
