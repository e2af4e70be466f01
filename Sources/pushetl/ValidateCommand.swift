import ArgumentParser
import Foundation
import Pipelines

struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Check pipeline files, and list all their errors.",
        discussion: """
            Every error is one line, FILE:LINE:COLUMN: MESSAGE, as editors know it.

              pushetl validate Pipelines/*.yaml
            """)

    @Argument(help: "The pipeline files (default: the one that --pipeline names).", completion: .file())
    var files: [String] = []

    @OptionGroup var options: PipelineOptions
    @OptionGroup(visibility: .hidden) var load: LoadOptions

    private struct Verdict: Encodable {
        let file: String
        let valid: Bool
        let errors: [String]
    }

    func run() throws {
        var verdicts: [Verdict] = []
        var lines: [String] = []
        for file in files.isEmpty ? [options.pipelineFile] : files {
            do throws(PipelineFileError) {
                let pipeline = try PipelineFile.read(file)
                for warning in pipeline.warnings(outputIsGiven: options.output != nil) {
                    Console.message("\(warning)\n")
                }
                verdicts.append(Verdict(file: file, valid: true, errors: []))
                lines.append("\(file): valid, \(Text.plural(pipeline.sources.count, "source"))")
            } catch {
                verdicts.append(Verdict(file: file, valid: false, errors: error.problems.map(\.description)))
                if !options.json { _ = Console.failure(error) }
            }
        }
        if options.json {
            try Console.result(verdicts)
        } else if !options.quiet && !lines.isEmpty {
            try Console.result(lines.joined(separator: "\n"))
        }
        if verdicts.contains(where: { !$0.valid }) { throw ExitCode(ExitStatus.badPipeline.rawValue) }
    }
}
