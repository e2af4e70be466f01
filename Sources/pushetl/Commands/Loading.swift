import Calendar
import Configuration
import Foundation
import Messages
import Output
import Partitions
import Pipelines

/// The common part of the commands that load: progress, signals, the summary and the exit code.
struct Loading {
    let pipeline: Pipeline
    let load: LoadOptions
    let options: PipelineOptions
    let printing: PrintingOptions
    let output: CommandOutput
    let showsProgress: Bool

    /// - Parameter makeLoader: makes the loader for a run.
    func run(
        _ request: DateRequest, makeLoader: (PipelineRun) -> any LogDateLoader = { $0.localLoader }
    ) throws -> RunSummary {
        warnOfSlips()
        let request = load.applied(to: request)
        let (report, folder) = try work { run in (try run.load(request, by: makeLoader(run)), run.output) }
        output.tell(report.notices(request, of: pipeline))
        if let obstacle = folder.cacheObstacle { output.tell([Notice(.warning, message: obstacle)]) }
        output.end(report.status)
        return RunSummary(
            report: report, request: request, output: folder, paths: output.paths, isVerbose: load.verbose)
    }

    /// Returns what `run` would do, and writes nothing.
    func forecast(_ request: DateRequest) throws -> Forecast {
        warnOfSlips()
        let request = load.applied(to: request)
        let found = try work { run in
            let dates = try run.forecast(request)
            let loads = dates.filter { $0.isWanted && $0.state.files > 0 }.map(\.state.date)
            return (
                dates: dates, former: try run.formerPipeline(),
                closing: try run.closingForecast(request.retention, after: loads), folder: run.output
            )
        }
        for message in found.former?.messages ?? [] { output.warn(message) }
        for warning in found.closing?.warnings ?? [] { output.warn(warning.message) }
        let forecast = Forecast(
            logDates: found.dates.map(Forecast.Entry.init), retention: found.closing?.result, output: found.folder,
            paths: output.paths)
        output.end(forecast.status)
        for date in found.dates {
            guard let failure = date.state.searchFailure else { continue }
            output.fail(failure.message.about(date.state.date))
        }
        if forecast.status == .noInput { output.fail(pipeline.noFiles(for: request.dates)) }
        return forecast
    }

    private func warnOfSlips() {
        output.warn(ofSlips: pipeline.warnings(outputIsGiven: options.output != nil))
        output.paths = options.shownPaths(of: pipeline)
    }

    /// Runs `body` with progress on the terminal.
    private func work<Result>(_ body: (PipelineRun) throws -> Result) throws -> Result {
        let isShown = showsProgress && printing.mayShowProgress
        let progress = printing.progress(isShown: isShown)
        let resources = RunResources(
            jobs: load.work.threads.jobs, memory: load.work.memory.bytes, force: load.force,
            wait: load.work.patience.wait, progress: progress, stop: output.stopping.flag)
        let bar = ProgressBar(progress, isShown: isShown)
        let run = PipelineRun(pipeline, output: options.outputFolder, resources: resources)
        bar.start()
        defer { bar.finish() }
        return try body(run)
    }
}

/// The result of a dry run: a line for each log date, with the reason.
struct Forecast: CommandResult {
    struct Entry: Encodable {
        let state: LogDateState
        let load: Bool

        func encode(to encoder: any Encoder) throws {
            try state.encode(to: encoder)
            try encoder.encode(["load": load])
        }
    }

    let logDates: [Entry]
    /// What the next publishing would do about old log dates; nil without `retention`.
    let retention: ClosingResult?
    let output: OutputFolder
    let paths: ShownPaths

    func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "dry_run": true, "log_dates": logDates, "files": files, "bytes": bytes,
            "output": paths.opening(output.databasePath), "retention": retention, "version": programVersion,
        ])
    }

    // The sums over the log dates that would be loaded.
    private var files: Int { logDates.reduce(0) { $0 + ($1.load ? $1.state.files : 0) } }
    private var bytes: Int { logDates.reduce(0) { $0 + ($1.load ? $1.state.bytes : 0) } }

    /// A dry run that finds files is done, whatever their state. A folder that could not be searched is an error.
    var status: ExitStatus {
        if logDates.contains(where: { $0.state.searchFailure != nil }) { return .failedIO }
        return logDates.contains { $0.state.files > 0 } ? .done : .noInput
    }

    var text: String {
        var table = TextTable([.left, .left, .right, .right, .left])
        var empty: [LogDate] = []
        for date in logDates {
            let state = date.state
            if state.isEmpty {
                empty.append(state.date)
                continue
            }
            let hasFiles = state.files > 0
            table.add([
                "\(state.date)", date.load ? "load" : hasFiles ? "leave" : "-",
                hasFiles ? Text.plural(state.files, of: "file") : "", hasFiles ? Text.bytes(state.bytes) : "",
                state.text.shown(paths),
            ])
        }
        let wanted = logDates.count(where: \.load)
        let all = Text.plural(logDates.count, of: "log date")
        let total =
            wanted == 0
            ? "nothing to load of \(all)"
            : "would load \(Text.number(wanted)) of \(all): \(Text.plural(files, of: "file")), \(Text.bytes(bytes))"
        let closes = retention?.lines ?? []
        let condition = wanted == 0 ? "" : ", once all of these are loaded"
        let next =
            closes.isEmpty ? [] : ["", "the next publishing would do this about old log dates\(condition):"] + closes
        let others = empty.isEmpty ? [] : ["no files: \(Text.ranges(empty))"]
        return (table.lines + others + next + ["", total + "; nothing was written"]).joined(separator: "\n")
    }
}
