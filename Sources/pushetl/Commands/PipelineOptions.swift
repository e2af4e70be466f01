import ArgumentParser
import Configuration
import Foundation

/// Options that name the pipeline and its output.
struct PipelineOptions: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The pipeline file. (default: the environment's PUSHETL_PIPELINE, else Pipelines/push.yaml)",
            valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var pipeline: String?

    @Option(
        help: ArgumentHelp("The folder of push.db. (default: the pipeline file's 'output')", valueName: "dir"),
        completion: .directory)
    var output: String?

    @Flag(help: "Print the result as JSON.")
    var json = false

    @Flag(name: [.short, .long], help: "Print only warnings and errors, and with --json the result.")
    var quiet = false

    @Option(help: "How to write messages on stderr: as text, or as JSON, one object per line, without progress.")
    var logFormat: MessageLog.Format = .text

    func validate() throws {
        guard output != "" else { throw ValidationError("--output takes a folder, and was given an empty name.") }
        guard pipeline != "" else { throw ValidationError("--pipeline takes a file, and was given an empty name.") }
    }

    /// Where messages go.
    var log: MessageLog { MessageLog(format: logFormat) }

    var pipelineFile: String {
        pipeline ?? ProcessInfo.processInfo.environment["PUSHETL_PIPELINE"].flatMap { $0.isEmpty ? nil : $0 }
            ?? "Pipelines/push.yaml"
    }

    /// The absolute folder that `--output` names.
    var outputFolder: String? {
        output.map { URL(fileURLWithPath: $0, isDirectory: true).standardizedFileURL.path }
    }

    /// Reads the pipeline file. To load past dates, its patterns must contain the date.
    func readPipeline(loadsPastDates: Bool = false) throws(PipelineFileError) -> Pipeline {
        let pipeline = try PipelineFile.read(pipelineFile)
        if loadsPastDates { try pipeline.checkDatePlaceholders() }
        return pipeline
    }
}

extension MessageLog.Format: ExpressibleByArgument {}
