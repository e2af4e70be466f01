import ArgumentParser
import Calendar
import Configuration
import Foundation
import LogFiles
import Messages
import Partitions
import Pipelines
import Posix
import Records

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
        date:
            "The log date: YYYY-MM-DD, yesterday, today, or -N. (default: by the file's name, else by its first time, else yesterday)"
    )
    var date: DateArgument?

    @Option(number: "Show at most this many records of each file.")
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

/// What the first records of some files become.
struct PreviewListing: CommandResult {
    struct File: Encodable {
        let path: String
        let source: String
        let format: String
        let layout: String
        let logDate: String
        let logDateFrom: String
        /// Whether the whole file was read, and not its beginning only.
        let isWhole: Bool
        let status: String
        let lines: Int
        let records: Int
        let accepted: Int
        let filtered: Int
        let rejected: Int
        let outcomes: [Count]
        let rows: [PreviewRecord]
    }

    struct Count: Encodable {
        let outcome: OutcomeCount.Outcome
        let reason: String
        let records: Int
    }

    private(set) var files: [File] = []
    private var texts: [String] = []
    /// Of the sources, in their order, the counts of all their files.
    private var tallies: [(source: String, tally: FileTally)] = []
    private let limit: Int
    private let zone: ZoneRules
    /// Whether each file gets its own counts.
    private let isVerbose: Bool

    private enum CodingKeys: CodingKey {
        case files
    }

    init(limit: Int, zone: ZoneRules, isVerbose: Bool) {
        self.limit = limit
        self.zone = zone
        self.isVerbose = isVerbose
    }

    var text: String {
        guard !isVerbose, !files.isEmpty else { return texts.joined(separator: "\n\n") }
        return (texts + [total]).joined(separator: "\n\n")
    }

    mutating func add(_ preview: Preview, name: String) {
        let file = File(
            path: name, source: preview.source.name, format: preview.source.format.rawValue,
            layout: preview.source.layout.name, logDate: preview.date.description,
            logDateFrom: preview.dateOrigin.rawValue, isWhole: preview.isWhole, status: preview.status.rawValue,
            lines: preview.lines, records: preview.tally.records, accepted: preview.tally.accepted,
            filtered: preview.tally.filtered, rejected: preview.tally.rejected,
            outcomes: preview.tally.counts.map { Count(outcome: $0.outcome, reason: $0.reason, records: $0.records) }
                .sorted { $0.records > $1.records },
            rows: Array(preview.records.prefix(limit)))
        files.append(file)
        if let index = tallies.firstIndex(where: { $0.source == file.source }) {
            tallies[index].tally += preview.tally
        } else {
            tallies.append((file.source, preview.tally))
        }
        texts.append(text(of: file, preview))
    }

    private func text(of file: File, _ preview: Preview) -> String {
        let from =
            switch preview.dateOrigin {
            case .given: "as given"
            case .fileName: "from the file's name"
            case .firstTime: "from the first time in it"
            case .yesterday: "yesterday, since neither the name nor a time tells"
            }
        let status = file.status == "ok" ? "" : "; the file is \(file.status)"
        var lines = [
            "\(file.path.shown)",
            "source \(file.source.shown) (\(file.format), \(file.layout)), log date \(file.logDate) (\(from)), "
                + "\(file.isWhole ? "" : "the first ")\(Text.plural(file.lines, "line"))\(status)",
        ]
        let table = table(preview.records)
        if !table.isEmpty { lines += [""] + table }
        if isVerbose { lines += [""] + counts([(file.source, preview.tally)]) }
        return lines.joined(separator: "\n")
    }

    /// The counts of all files.
    private var total: String {
        let head =
            files.count == 1
            ? []
            : [
                "all \(Text.plural(files.count, "file")), \(Text.plural(files.reduce(0) { $0 + $1.lines }, "line"))",
                "",
            ]
        return (head + counts(tallies)).joined(separator: "\n")
    }

    /// A table of the records by source, outcome and reason.
    private func counts(_ tallies: [(source: String, tally: FileTally)]) -> [String] {
        let rows = tallies.flatMap { source, tally in
            tally.counts.map { [source.shown, $0.outcome.rawValue, $0.reason, Text.number($0.records)] }
        }
        guard !rows.isEmpty else { return ["no records"] }
        var table = Table([.left, .left, .left, .right])
        table.add(["source", "outcome", "reason", "records"])
        for row in rows { table.add(row) }
        let all = tallies.reduce(0) { $0 + $1.tally.records }
        if rows.count > 1 { table.add(["all", "", "", Text.number(all)]) }
        return table.lines
    }

    private func table(_ rows: [PreviewRecord]) -> [String] {
        var runs: [(row: PreviewRecord, last: PreviewRecord, count: Int)] = []
        for row in rows {
            if let run = runs.last, row.outcome == .filtered, row.reason == run.row.reason {
                runs[runs.count - 1] = (run.row, row, run.count + 1)
            } else {
                runs.append((row, row, 1))
            }
        }
        let shown = runs.prefix(limit)
        guard !shown.isEmpty else { return [] }
        var table = Table([.right, .left, .left, .left, .left, .left, .left])
        table.add(["line", "outcome", "time (\(zone.name))", "broadlog id", "delivery id", "action", "platform"])
        for (row, last, _) in shown {
            let line = row.line == last.line ? "\(row.line)" : "\(row.line)-\(last.line)"
            table.add([
                line, row.outcome.rawValue, row.time ?? "", row.broadlogId?.shown ?? "", row.deliveryId?.shown ?? "",
                row.action ?? "", row.platform ?? "",
            ])
        }
        let notes: [String] =
            [""]
            + shown.map { row, _, count in
                if row.outcome == .accepted { return row.clockFallback == true ? "device clock wrong" : "" }
                return (count > 1 ? "\(row.reason), \(Text.number(count)) records" : row.reason)
                    + (row.detail.map { $0.isEmpty ? "" : ": \($0.shown)" } ?? "")
            }
        let width = Console.width
        var lines = zip(table.lines, notes).map { line, note in
            let line = note.isEmpty ? line : line + "  " + note
            guard let width, line.count > width else { return line }
            return line.prefix(width - 1) + "…"
        }
        let left = runs.dropFirst(limit).reduce(0) { $0 + $1.count }
        if left > 0 { lines.append("… and \(Text.plural(left, "record")) more; --limit shows more") }
        return lines
    }
}
