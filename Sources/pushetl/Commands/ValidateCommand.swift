import ArgumentParser
import Configuration
import Messages

struct ValidateCommand: PushetlCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Check pipeline files, and list all their errors and warnings.",
        discussion: """
            Each error and warning is one line, FILE:LINE:COLUMN: MESSAGE, which editors can follow.

              pushetl validate Pipelines/*.yaml
            """)

    @Argument(help: "The pipeline files (default: the one that --pipeline names).", completion: .file())
    var files: [String] = []

    @OptionGroup var options: PipelineOptions
    @OptionGroup var printing: PrintingOptions

    struct Verdicts: CommandResult {
        struct Verdict: Encodable {
            let path: String
            let valid: Bool
            let sources: Int
        }

        var files: [Verdict] = []

        /// A line for each valid file. Other files are reported as errors.
        var text: String {
            files.filter(\.valid).map { "\($0.path.shown): valid, \(Text.plural($0.sources, of: "source"))" }
                .joined(separator: "\n")
        }
    }

    func validate() throws {
        guard files.isEmpty || options.file.pipeline == nil else {
            throw ValidationError("Give the pipeline files either as FILE or with --pipeline.")
        }
    }

    func execute(_ output: CommandOutput) throws -> (any CommandResult)? {
        var verdicts = Verdicts()
        for file in files.isEmpty ? [options.file.pipelineFile] : files {
            do throws(PipelineFileError) {
                let pipeline = try PipelineFile.read(file)
                for warning in pipeline.warnings(outputIsGiven: options.output != nil) { output.warn(warning) }
                verdicts.files.append(.init(path: file, valid: true, sources: pipeline.sources.count))
            } catch {
                verdicts.files.append(.init(path: file, valid: false, sources: 0))
                output.fail(error)
            }
        }
        return verdicts
    }
}
