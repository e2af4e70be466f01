import ArgumentParser
import Calendar
import Configuration
import Foundation
import LogFiles
import Messages
import Pipelines
import Posix

struct PreviewCommand: PushetlCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Show what a load would make of the first records of some files.",
        discussion: """
            Reads the first 10,000 lines of each file, at most 16 MiB, as 'run' would. Shows what each record becomes, or \
            where a line does not fit the layout, and then the counts of all files; with --verbose those of each file. \
            Writes nothing.

              pushetl preview
              pushetl preview --date 2026-11-19 --source adobe
              pushetl preview access.log.gz
              zcat access.log.gz | pushetl preview --source adobe -
            """)

    @Argument(help: ArgumentHelp("The files; - is standard input. (default: the log date's files)", valueName: "file"))
    var files: [String] = []

    @Option(
        help: ArgumentHelp(
            "The source whose format and layout the files have. (default: the one whose pattern matches the file)",
            valueName: "source"))
    var source: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The log date: YYYY-MM-DD, yesterday, today, or -N. (default: by the file's name, else by its first time, else yesterday)",
            valueName: "date"),
        transform: { try DateArgument(parsing: $0) })
    var date: DateArgument?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Show at most this many records of each file.", valueName: "n"))
    var limit = 20

    @Flag(help: "Show the counts of each file.")
    var verbose = false

    @OptionGroup var file: PipelineFileOptions
    @OptionGroup var printing: PrintingOptions

    func validate() throws {
        guard limit >= 0 else { throw ValidationError("--limit takes a number from 0.") }
    }

    /// A file, and how the result names it.
    private struct Input {
        let source: Int
        let file: Preview.File
        let name: String
    }

    func execute(_ output: CommandOutput) throws -> (any CommandResult)? {
        let pipeline = try file.readPipeline()
        for warning in pipeline.warnings(outputIsGiven: true) { output.warn(warning) }
        output.paths = ShownPaths(pipeline.folder)
        let date = date?.logDate(in: pipeline.zone)
        let yesterday = LogDate.today(in: pipeline.zone).adding(days: -1)
        let wanted = try wantedSource(pipeline)
        let spool = try files.contains("-") ? StandardInput(bytes: StandardInput.sampleBytes) : nil
        let inputs =
            try files.isEmpty
            ? dateFiles(date ?? yesterday, wanted, pipeline, output)
            : files.map { try input($0, wanted, pipeline, spool) }
        var listing = PreviewListing(limit: limit, zone: pipeline.zone, isVerbose: verbose)
        for input in inputs {
            do {
                let preview = try Preview(
                    of: input.file, pipeline, source: input.source, date: date, yesterday: yesterday)
                if let foreign = preview.foreign {
                    output.end(.badData)
                    let text = MessageText.verbatim(foreign.text().shown(output.paths))
                    output.fail(Message("foreign_file", text, path: input.name).shown(.stored))
                }
                for warning in preview.warnings {
                    output.warn(warning.about(preview.date))
                }
                for message in preview.doubts(name: input.name) { output.warn(message) }
                listing.add(preview, name: input.name)
            } catch let error as LogFileError {
                output.end(.failedIO)
                let text: MessageText = "cannot be read: \(SystemError.reason(error.code))"
                output.fail(.at(input.name, "unreadable_file", text).shown(.stored))
            }
        }
        return listing
    }

    private func wantedSource(_ pipeline: Pipeline) throws -> Int? {
        guard let source else { return pipeline.sources.count == 1 ? 0 : nil }
        let names = pipeline.sources.map(\.name)
        guard let index = names.firstIndex(of: source) else {
            let hint =
                source.nearest(of: names).map { "did you mean '\($0.shown)'?" }
                ?? "the sources are \(names.map(\.shown).joined(separator: ", "))."
            throw ValidationError("There is no source '\(source.shown)'; \(hint)")
        }
        return index
    }

    /// The log date's files.
    private func dateFiles(
        _ date: LogDate, _ wanted: Int?, _ pipeline: Pipeline, _ output: CommandOutput
    ) throws -> [Input] {
        let inputs = try Preview.files(of: pipeline, on: date).filter { wanted == nil || $0.source == wanted }
            .map { Input(source: $0.source, file: $0.file, name: output.paths.opening($0.file.path)) }
        if inputs.isEmpty {
            output.end(.noInput)
            let patterns = pipeline.sources.enumerated().filter { wanted == nil || $0.offset == wanted }
                .map { "\(path: $0.element.files.text(on: date))" as MessageText }
            output.fail(
                Message(
                    "no_input", "\(date): no files; looked for \(patterns.joined(separator: ", "))", logDate: date))
        }
        return inputs
    }

    private func input(
        _ argument: String, _ wanted: Int?, _ pipeline: Pipeline, _ spool: StandardInput?
    ) throws -> Input {
        let location = argument == "-" ? spool?.path ?? "" : URL(fileURLWithPath: argument).path
        let file = Preview.File(path: argument, location: location)
        guard let source = wanted ?? Preview.source(of: file, pipeline) else {
            let names = pipeline.sources.map(\.name.shown).joined(separator: ", ")
            throw ValidationError(
                "\(argument.shown) matches no source; name its source with --source, one of \(names).")
        }
        return Input(source: source, file: file, name: argument == "-" ? "standard input" : argument)
    }
}
