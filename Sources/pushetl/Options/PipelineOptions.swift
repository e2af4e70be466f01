import ArgumentParser
import Configuration
import Foundation
import LogFiles
import Messages
import Output
import Partitions

/// Options that name the pipeline and its output.
struct PipelineOptions: ParsableArguments {
    @OptionGroup var file: PipelineFileOptions

    @Option(
        help: ArgumentHelp("The folder of push.db. (default: the pipeline file's 'output')", valueName: "dir"),
        completion: .directory)
    var output: String?

    func validate() throws {
        guard output != "" else { throw ValidationError("--output takes a folder, and was given an empty name.") }
        guard output.flatMap(FilePattern.uriRoot) == nil else {
            throw ValidationError("--output takes the path of a folder, and was given a URI.")
        }
    }

    /// For a command in a message.
    var inCommands: String { file.inCommands + (output.map { " --output \(Shell.argument($0))" } ?? "") }

    /// How messages show paths and commands. Without a pipeline, relative paths begin in the working folder.
    func shownPaths(of pipeline: Pipeline?) -> ShownPaths {
        ShownPaths(
            pipeline?.folder ?? FileManager.default.currentDirectoryPath, options: inCommands,
            hasBackfill: pipeline?.hasBackfill ?? true)
    }

    /// The absolute folder that `--output` names.
    var outputFolder: String? {
        output.map { URL(fileURLWithPath: $0, isDirectory: true).standardizedFileURL.path }
    }

    /// The output that the command uses.
    /// - Throws: if pushetl 1.x or a later version has written it.
    func output(of pipeline: Pipeline?) throws -> OutputFolder {
        let folder = OutputFolder(outputFolder ?? pipeline?.output ?? "")
        try OutputDatabase(folder).refuseOtherVersions()
        return folder
    }

    /// The folder of the output; nil if the pipeline file cannot be read. The command itself reports that error.
    var knownOutput: String? { outputFolder ?? (try? file.readPipeline())?.output }

    /// Reads the pipeline file for a command that needs it only to find the output. Nil where --output is enough: it is
    /// given, and --pipeline is not.
    func readPipelineIfNeeded() throws(PipelineFileError) -> Pipeline? {
        outputFolder != nil && file.pipeline == nil ? nil : try file.readPipeline()
    }
}
