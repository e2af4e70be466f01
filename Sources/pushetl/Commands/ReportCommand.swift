import ArgumentParser
import Calendar
import Foundation
import Messages
import Output
import Partitions
import Pipelines
import Posix
import Reports

struct ReportCommand: PushetlCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Write the figures of a period as a page with charts.",
        discussion: """
            Writes one HTML file for a browser, an e-mail or a printer. It has no script and loads nothing. It is made from \
            push.db alone, so the same push.db and period give the same bytes. An existing page is \
            replaced, and so is any file named .html.

            The 28 days up to that of the most events of the last log date, against the 28 days before these:
              pushetl report

            A month, against the same days a week earlier:
              pushetl report --from 2026-11-01 --to 2026-11-30 --compare week

            Every night:
              pushetl run --quiet && pushetl report --quiet --out /srv/www/push.html

            In short, as the body of a mail; the exit code is 65 if a log date needs something, as with 'status --check':
              pushetl report --text --check

            A campaign, or a delivery, from its first day on:
              pushetl report --campaign 'Black Friday'
              pushetl report --delivery d57fd6

            A page for each week, month and campaign, and an index of them. Pages that would be the same stay as they are:
              pushetl report --archive /srv/www/push

            Logs that no pipeline names yet. They are read as 'guess' would draft it, and nothing else is kept:
              pushetl report /var/log/nginx/access.log-20261119.gz
            """)

    @Argument(
        help: ArgumentHelp(
            "Log files, to report on them without a pipeline file. (default: push.db)", valueName: "file"))
    var files: [String] = []

    @Option(
        date: "The first day: YYYY-MM-DD, yesterday, today, or -N for N days ago. (default: 27 days before the last)")
    var from: DateArgument?

    @Option(date: "The last day. (default: that of the most events of the last log date)")
    var to: DateArgument?

    @Option(help: ArgumentHelp("Report on this campaign. (default: on days)", valueName: "name"))
    var campaign: String?

    @Option(help: ArgumentHelp("Report on the delivery with this id. (default: on days)", valueName: "id"))
    var delivery: String?

    @Option(
        help: ArgumentHelp(
            "Compare with as many days before, moved back by whole weeks (previous), with the same days a week earlier, or 52 weeks earlier (year), or with nothing. (default: previous; none for files)"
        ))
    var compare: ReportComparison?

    @Option(help: ArgumentHelp("What stands above the page. (default: Push messages)", valueName: "text"))
    var title: String?

    @Option(
        help: ArgumentHelp(
            "The file to write; - is standard output. (default: report.html, and none with --text)", valueName: "file"),
        completion: .file(extensions: ["html"]))
    var out: String?

    @Option(
        help: ArgumentHelp(
            "Keep a page for each week, month and campaign in this folder, and an index of them. (default: one page)",
            valueName: "dir"), completion: .directory)
    var archive: String?

    @Flag(help: "Print the report in short: at most 26 lines of 72 columns.")
    var text = false

    @Flag(help: "Exit 65 if a log date needs something, and say which and why, as 'status --check' does.")
    var check = false

    @OptionGroup var patience: WaitOptions
    @OptionGroup var options: PipelineOptions
    @OptionGroup var printing: PrintingOptions

    func validate() throws {
        guard out != "" else { throw ValidationError("--out takes a file, and was given an empty name.") }
        guard archive != "" else { throw ValidationError("--archive takes a folder, and was given an empty name.") }
        guard title != "" else { throw ValidationError("--title takes a text, and was given an empty one.") }
        let days = [("--from", from != nil), ("--to", to != nil)]
        let subjects = [("--campaign", campaign != nil), ("--delivery", delivery != nil)]
        let compares = [("--compare", compare != nil)]
        try refuse(
            "--archive makes a page for each week, month and campaign", if: archive != nil,
            days + subjects + [("--out", out != nil), ("--text", text)])
        try refuse("--campaign has its own days", if: campaign != nil, days + compares + subjects.suffix(1))
        try refuse("--delivery has its own days", if: delivery != nil, days + compares)
        try refuse(
            "a report on files is made of them alone", if: !files.isEmpty,
            subjects + [
                ("--archive", archive != nil), ("--check", check), ("--output", options.output != nil),
                ("--pipeline", options.file.pipeline != nil),
            ])
        let onOutput = [("--json", printing.json), ("--text", text), ("--out -", out == "-")].filter(\.1).map(\.0)
        guard onOutput.count < 2 else {
            throw ValidationError(
                "\(onOutput[0]) and \(onOutput[1]) would both write to standard output: give one of them.")
        }
        try DateRange.check(from: from, to: to)
    }

    /// Refuses an option that is meaningless together with another one.
    private func refuse(
        _ reason: String, if isGiven: Bool, _ others: [(name: String, isGiven: Bool)]
    ) throws(ValidationError) {
        guard isGiven, let option = others.first(where: \.isGiven)?.name else { return }
        throw ValidationError("\(reason): leave out \(option).")
    }

    func execute(_ output: CommandOutput) throws -> (any CommandResult)? {
        if !files.isEmpty {
            let report = try FileReport.make(
                of: files, wait: patience.wait, showsProgress: printing.mayShowProgress, output: output
            ) { zone in request(in: zone, isOneLoad: true) }
            return try report.flatMap { try write($0, output: output) }
        }
        // Only push.db is needed. The pipeline file only tells where it is, or what is checked.
        let pipeline = try check ? options.file.readPipeline() : options.readPipelineIfNeeded()
        let folder = try options.output(of: pipeline)
        if let archive {
            let result = try keep(archive, of: folder, output: output)
            if check, let pipeline {
                try StatusCommand.tellNeeds(of: pipeline, options: options, output: output)
            }
            return result
        }
        let resources = RunResources(wait: patience.wait, progress: printing.progress())
        let report = try Report(of: resources.database(of: folder)) { request(in: $0) }
        if check, let pipeline {
            try StatusCommand.tellNeeds(of: pipeline, options: options, output: output)
        }
        return try write(report, output: output)
    }

    private func request(in zone: ZoneRules, isOneLoad: Bool = false) -> ReportRequest {
        let subject = campaign.map(ReportSubject.campaign) ?? delivery.map { .delivery($0.lowercased()) }
        return ReportRequest(
            first: from?.logDate(in: zone), last: to?.logDate(in: zone),
            comparison: compare ?? (isOneLoad ? .none : .previous), of: subject, title: title, isOneLoad: isOneLoad)
    }

    /// Prints the report, and writes its page.
    private func write(_ report: Report, output: CommandOutput) throws -> (any CommandResult)? {
        if text || out == "-" { try Console.page(text ? report.text : report.html) }
        guard out != "-", let path = out ?? (text ? nil : "report.html") else { return nil }
        do {
            let place = URL(fileURLWithPath: path).path
            guard try Report.mayReplace(place) else {
                let text: MessageText = "is no page of a report, so it was left as it is; give another --out"
                return failed(path, text: text, output: output)
            }
            try WholeFile.replace(place, by: Array(report.html.utf8))
            // The path may be standard output itself, which must contain nothing but the page.
            if output.wantsText, try WholeFile.target(of: place) == nil { return nil }
        } catch {
            return failed(path, text: "cannot be written: \(SystemError.reason(error.code))", output: output)
        }
        return text ? nil : ReportResult(report: report, path: path)
    }

    /// Reports that the page could not be written. There is no result.
    private func failed(_ path: String, text: MessageText, output: CommandOutput) -> (any CommandResult)? {
        output.end(.failedIO)
        output.fail(.at(path, code: .unwritableReport, text: text).shown(.stored))
        return nil
    }

    /// Brings an archive up to date, with progress on the terminal.
    private func keep(
        _ archive: String, of folder: OutputFolder, output: CommandOutput
    ) throws -> ExportResult? {
        let place = URL(fileURLWithPath: archive, isDirectory: true).standardizedFileURL.path
        let progress = printing.progress(stage: .reporting, isShown: printing.mayShowProgress)
        let resources = RunResources(wait: patience.wait, progress: progress, stop: output.stopping.flag)
        let database = resources.database(of: folder)
        let workers = FanoutWorkers(count: ProcessInfo.processInfo.activeProcessorCount, progress: progress)
        let bar = ProgressBar(progress, isShown: printing.mayShowProgress)
        bar.start()
        defer { bar.finish() }
        do {
            let files = try ReportArchive(in: place, comparison: compare ?? .previous, title: title).write(
                database, with: workers)
            return ExportResult("archive", files: files, paths: output.paths)
        } catch let error as Fault where error.exitStatus == .failedIO {
            // The archive has failed, but `--check` can still be answered.
            output.fail(error)
            return nil
        } catch is Stopped {
            throw Fault.exportStopped
        }
    }
}

extension ReportComparison: ExpressibleByArgument {}

struct ReportResult: CommandResult {
    let report: Report
    let path: String

    func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "path": path, "bytes": report.html.utf8.count, "period": report.period,
            "compared_period": report.comparedPeriod, "loaded_log_dates": report.loadedLogDates,
            "messages": report.messages,
        ])
    }

    var text: String {
        guard let period = report.period else { return "\(path.shown): written; nothing is loaded yet" }
        let compared = report.comparedPeriod.map { ", compared with \($0.text)" } ?? ""
        return "\(path.shown): written, \(Text.bytes(report.html.utf8.count)), \(period.text)\(compared), "
            + Text.plural(report.messages, of: "message")
    }
}

extension ReportPeriod {
    fileprivate var text: String { first == last ? "\(first)" : "\(first) to \(last)" }
}
