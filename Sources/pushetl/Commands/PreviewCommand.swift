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
            Reads the first 10,000 lines of each file, and the rest of a JSON object that they end in, at most 16 MiB, as \
            'run' would. Shows what each record becomes, or where a line does not fit the layout, then the counts of all \
            files; with --verbose those of each file. Ends with how many messages were sent, opened and so on. Writes \
            nothing.

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

    /// A file as the result names it, and the index of its source.
    private typealias Input = (source: Int, file: Preview.File)

    func execute(_ output: CommandOutput) throws -> (any CommandResult)? {
        let pipeline = try file.readPipeline()
        for warning in pipeline.warnings(outputIsGiven: true) { output.warn(warning) }
        output.paths = ShownPaths(pipeline.folder, options: file.inCommands)
        let date = date?.logDate(in: pipeline.zone)
        let yesterday = LogDate.today(in: pipeline.zone).adding(days: -1)
        let wanted = try wantedSource(pipeline)
        let spool = try files.contains("-") ? StandardInput(bytes: StandardInput.sampleBytes) : nil
        let inputs =
            try files.isEmpty
            ? dateFiles(of: date ?? yesterday, wanted: wanted, pipeline: pipeline, output: output)
            : Preview.File.named(files, spool: spool).flatMap {
                try fileInputs(from: $0, wanted: wanted, pipeline: pipeline, output: output)
            }
        var previews: [Preview] = []
        var listing = PreviewListing(limit: limit, zone: pipeline.zone, isVerbose: verbose)
        for input in inputs {
            do {
                let preview = try Preview(
                    of: input.file, pipeline: pipeline, source: input.source, date: date, yesterday: yesterday,
                    isGiven: !files.isEmpty)
                if let foreign = preview.foreign {
                    output.end(.badData)
                    output.fail(Message(.foreignFile, text: foreign.text(), path: foreign.path).shown(.stored))
                }
                for message in preview.doubts(name: input.file.path) { output.warn(message.shown(.stored)) }
                listing.add(preview)
                previews.append(preview)
            } catch let error as LogFileError {
                fail(toRead: input.file, error.code, output)
            }
        }
        for warning in Preview.warnings(of: previews) { output.warn(warning.shown(.stored)) }
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

    private func dateFiles(
        of date: LogDate, wanted: Int?, pipeline: Pipeline, output: CommandOutput
    ) throws -> [Input] {
        let inputs = try Preview.files(of: pipeline, on: date).filter { wanted == nil || $0.source == wanted }
            .map { ($0.source, Preview.File(path: output.paths.opening($0.file.path), location: $0.file.location)) }
        if inputs.isEmpty {
            output.end(.noInput)
            let patterns = pipeline.sources.enumerated().filter { wanted == nil || $0.offset == wanted }
                .map { "\(path: $0.element.files.text(on: date))" as MessageText }
            output.fail(
                Message(
                    .noInput, text: "\(date): no files; looked for \(patterns.joined(separator: ", "))", logDate: date
                ))
        }
        return inputs
    }

    private func fail(toRead file: Preview.File, _ error: Int32, _ output: CommandOutput) {
        output.end(.failedIO)
        let text: MessageText = "cannot be read: \(SystemError.reason(error))"
        output.fail(.at(file.path, code: .unreadableFile, text: text).shown(.stored))
    }

    /// The file, once for each source that reads it; nothing if it cannot be read at all.
    private func fileInputs(
        from file: Preview.File, wanted: Int?, pipeline: Pipeline, output: CommandOutput
    ) throws -> [Input] {
        let sources = wanted.map { [$0] } ?? Preview.sources(of: file, pipeline: pipeline)
        guard !sources.isEmpty else {
            // One that cannot be read needs no source.
            do {
                var reader = BeginningReader()
                _ = try reader.read(file.location)
            } catch let error as LogFileError {
                fail(toRead: file, error.code, output)
                return []
            }
            let names = pipeline.sources.map(\.name.shown).joined(separator: ", ")
            throw ValidationError(
                "\(file.path.shown) matches no source; name its source with --source, one of \(names).")
        }
        return sources.map { ($0, file) }
    }
}

extension Preview.File {
    /// The files given as arguments. A file that is given twice appears once.
    /// - Parameter spool: a copy of standard input, which is `-`.
    static func named(_ arguments: [String], spool: StandardInput?) -> [Preview.File] {
        var files: [Preview.File] = []
        for argument in arguments {
            let file =
                argument == "-"
                ? Preview.File(path: "standard input", location: spool?.path ?? "", isStandardInput: true)
                : Preview.File(path: argument, location: URL(fileURLWithPath: argument).path)
            if !files.contains(where: { $0.location == file.location }) { files.append(file) }
        }
        return files
    }
}

/// The outcomes of the first records of some files.
struct PreviewListing: CommandResult {
    private var files: [JSONObject] = []
    private var texts: [String] = []
    /// A file may have several sources.
    private var paths: Set<String> = []
    /// The number of lines of all files.
    private var lines = 0
    private var messages = SampleMessages()
    /// For each source, in order, the counts of its files.
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
        let counts = messages.sentence.map { "counted: \($0)" }
        return (texts + (isVerbose || files.isEmpty ? [] : [total]) + [counts].compactMap(\.self)).joined(
            separator: "\n\n")
    }

    mutating func add(_ preview: Preview) {
        let source = preview.source
        let tally = preview.tally
        let outcomes: [JSONObject] = tally.counts.sorted { $0.records > $1.records }
            .map { ["outcome": $0.outcome, "reason": $0.reason, "records": $0.records] }
        files.append([
            "path": preview.file.path, "source": source.name, "format": source.format.rawValue,
            "layout": JSONList(source.layouts.map(\.name)), "log_date": preview.date,
            "log_date_from": preview.dateOrigin.rawValue, "is_whole": preview.isWhole, "status": preview.status,
            "lines": preview.lines, "records": tally.records, "accepted": tally.accepted, "filtered": tally.filtered,
            "rejected": tally.rejected, "outcomes": outcomes,
            "rows": Array(preview.records.prefix(limit)),
        ])
        if paths.insert(preview.file.location).inserted { lines += preview.lines }
        messages.add(preview.messages)
        if let index = tallies.firstIndex(where: { $0.source == source.name }) {
            tallies[index].tally += tally
        } else {
            tallies.append((source.name, tally))
        }
        texts.append(text(of: preview))
    }

    private func text(of preview: Preview) -> String {
        let from =
            switch preview.dateOrigin {
            case .given: "as given"
            case .fileName: "from the file's name"
            case .firstTime: "from the first time in it"
            case .yesterday where preview.isGiven: "yesterday, since neither the name nor a time tells"
            case .yesterday: "yesterday"
            }
        let source = preview.source
        let status = preview.status == .ok ? "" : "; the file is \(preview.status)"
        var lines = [
            preview.file.path.shown,
            "source \(source.name.shown) (\(source.format.rawValue), \(source.layouts.map(\.name).joined(separator: ", "))), log date \(preview.date) "
                + "(\(from)), \(preview.isWhole ? "" : "the first ")\(Text.plural(preview.lines, of: "line"))\(status)",
        ]
        let table = table(preview.records)
        if !table.isEmpty { lines += [""] + table }
        if isVerbose { lines += [""] + counts([(source.name, preview.tally)]) }
        return lines.joined(separator: "\n")
    }

    /// The counts of all files.
    private var total: String {
        let head = ["all \(Text.plural(paths.count, of: "file")), \(Text.plural(lines, of: "line"))", ""]
        return ((paths.count == 1 ? [] : head) + counts(tallies)).joined(separator: "\n")
    }

    /// A table of the records by source, outcome and reason.
    private func counts(_ tallies: [(source: String, tally: FileTally)]) -> [String] {
        let rows = tallies.flatMap { source, tally in
            tally.counts.map { [source.shown, $0.outcome.rawValue, $0.reason, Text.number($0.records)] }
        }
        guard !rows.isEmpty else { return ["no records"] }
        var table = TextTable([.left, .left, .left, .right])
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
        var table = TextTable([.right, .left, .left, .left, .left, .left, .left])
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
        if left > 0 { lines.append("… and \(Text.plural(left, of: "record")) more; --limit shows more") }
        return lines
    }
}
