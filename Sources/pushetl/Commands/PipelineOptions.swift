import ArgumentParser
import Configuration
import Foundation

/// Options that name the pipeline and its output.
struct PipelineOptions: ParsableArguments {
    @OptionGroup var file: PipelineFileOptions

    @Option(
        help: ArgumentHelp("The folder of push.db. (default: the pipeline file's 'output')", valueName: "dir"),
        completion: .directory)
    var output: String?

    func validate() throws {
        guard output != "" else { throw ValidationError("--output takes a folder, and was given an empty name.") }
    }

    /// The absolute folder that `--output` names.
    var outputFolder: String? {
        output.map { URL(fileURLWithPath: $0, isDirectory: true).standardizedFileURL.path }
    }

    /// The folder of the output; nil if the pipeline file does not tell it.
    var knownOutput: String? { outputFolder ?? (try? readPipeline())?.output }

    /// Reads the pipeline file. To load past dates, its patterns must contain the date.
    func readPipeline(loadsPastDates: Bool = false) throws(PipelineFileError) -> Pipeline {
        try file.readPipeline(loadsPastDates: loadsPastDates)
    }

    /// Reads the pipeline file for a command that needs it only to find the output. Nil where --output is enough: it is given,
    /// and --pipeline is not.
    func readPipelineIfNeeded() throws(PipelineFileError) -> Pipeline? {
        outputFolder != nil && file.pipeline == nil ? nil : try readPipeline()
    }
}
