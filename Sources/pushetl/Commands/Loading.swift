import ArgumentParser
import Configuration
import Foundation
import Messages
import Partitions
import Pipelines

/// What the commands that load share: progress, signals, the summary and the exit code.
struct Loading {
    let pipeline: Pipeline
    let load: LoadOptions
    let options: PipelineOptions
    let printing: PrintingOptions
    let output: CommandOutput
    let showsProgress: Bool

    private var sentence: Sentence { Sentence(pipeline) }

    /// - Parameter makeLoader: makes what reads the files of a run.
    func run(
        _ request: DateRequest, command: String, makeLoader: (PipelineRun) -> any LogDateLoader = { $0.localLoader }
    ) throws -> RunSummary? {
        warnOfSlips()
        let loaded: (report: RunReport, folder: OutputFolder)?
        do {
            loaded = try work { run in
                let report = try run.load(request, command: command, by: makeLoader(run)) { report in
                    Sentence(.stored).description(of: report, pipeline)
                }
                return (report, run.output)
            }
        } catch let error as RetentionRequestError {
            throw ValidationError(error.message.words)
        }
        guard let (report, folder) = loaded else { return nil }
        tell(report, request, folder)
        output.end(report.status)
        return RunSummary(report, request: request, output: folder, sentence, isVerbose: load.verbose)
    }

    private func tell(_ report: RunReport, _ request: DateRequest, _ folder: OutputFolder) {
        let namesDates = request.dates.count > 1
        for date in report.dates {
            let prefix = namesDates ? "\(date.date): " : ""
            for warning in date.warnings {
                let message = sentence.message(warning, pipeline, counts: date.isLoaded)
                output.warn(message.about(date.date, before: .verbatim(prefix)))
            }
        }
        for warning in report.deliveries?.warnings ?? [] { output.warn(warning.shown(sentence.paths)) }
        for fault in report.deliveries?.faults ?? [] { output.fail(fault.shown(sentence.paths)) }
        if let message = report.publication?.understated.message { output.warn(message) }
        if let publication = report.publication {
            let path = folder.databasePath
            let shown = sentence.paths.opening(path)
            if let repair = publication.repair {
                let text = sentence.of(repair, at: path)
                output.warn(
                    repair.earlierSchema == nil
                        ? Message.told("repaired_output", text, path: shown)
                        : Message.told("upgraded_output", text, path: shown))
            }
            if let loss = publication.loss {
                output.warn(Message.told("lost_ledger", sentence.of(loss, in: folder), path: shown))
            }
        }
        for message in Sentence.messages(report.formerPipeline, isNew: report.isNewPipeline) { output.warn(message) }
        for damaged in report.publication?.damaged ?? [] { output.warn(sentence.message(damaged)) }
        for date in report.dates {
            if case .heldBack(.foreignFiles(let files)) = date.verdict {
                for file in files {
                    let message = Message("foreign_file", file.text(), logDate: date.date, path: file.path)
                    output.fail(message.shown(sentence.paths))
                }
            }
            let rejects = sentence.firstRejects(of: date)
            guard let message = sentence.message(date, pipeline, report)?.about(date.date, after: .verbatim(rejects))
            else {
                continue
            }
            // A date without files is only a warning if the command has loaded others.
            if date.hasNoFiles, report.status != .noInput { output.warn(message) } else { output.fail(message) }
        }
        for state in report.closed {
            if let message = sentence.message(refused: state) { output.fail(message) }
        }
        for warning in report.closingWarnings {
            let message = warning.message.shown(sentence.paths)
            if warning.isObstacle { output.fail(message) } else { output.warn(message) }
        }
        if let hindrance = report.publication?.closing?.hindrance {
            output.fail(sentence.message(hindrance: hindrance, windowDays: pipeline.windowDays))
        }
        if let failure = report.publication?.closing?.failure { output.fail(sentence.message(failure)) }
        for state in report.heldBack {
            if let message = sentence.message(heldBack: state) { output.fail(message) }
        }
        if report.dates.isEmpty && !report.hasInput {
            output.fail(Message.told("no_files", sentence.noFiles(request.dates, pipeline, report)))
        }
        if let failure = report.publishingFailure, !report.isTold(failure) {
            output.fail(sentence.message(failure))
        }
    }

    /// Returns what `run` would do, and writes nothing.
    func forecast(_ request: DateRequest) throws -> Forecast? {
        warnOfSlips()
        let found = try work { run in
            (
                dates: try run.forecast(request), former: try run.formerPipeline(),
                closing: try run.closingForecast(request.retention), folder: run.output
            )
        }
        guard let found else { return nil }
        for message in Sentence.messages(found.former) { output.warn(message) }
        for warning in found.closing?.warnings ?? [] { output.warn(warning.message.shown(sentence.paths)) }
        let forecast = Forecast(found.dates, closing: found.closing?.result, output: found.folder, sentence)
        output.end(forecast.status)
        if forecast.status == .noInput {
            output.fail(Message.told("no_files", sentence.noFiles(request.dates, pipeline, nil)))
        }
        return forecast
    }

    private func warnOfSlips() {
        for warning in pipeline.warnings(outputIsGiven: options.output != nil, isLoad: true) {
            output.warn(warning)
        }
    }

    /// Runs `body` with progress on the terminal. Returns nil if a signal stopped it.
    private func work<Result>(_ body: (PipelineRun) throws -> Result) throws -> Result? {
        let stopping = Stopping()
        let log = printing.log
        let isQuiet = printing.quiet
        let isShown = showsProgress && !isQuiet && log.format == .text && ProgressBar.hasTerminal
        let progress = LoadProgress { limit in
            guard !isShown, !isQuiet else { return }
            log.write(Message.told("waiting_for_reader", "waiting for a reader of push.db (at most \(limit) s)"), .info)
        }
        var resources = RunResources(
            jobs: load.work.jobs, memory: load.work.memory.bytes, force: load.force, wait: load.work.wait,
            progress: progress,
            stop: stopping.flag)
        resources.acceptsLoss = load.acceptLoss
        let bar = ProgressBar(progress, isShown: isShown)
        let run = PipelineRun(pipeline, output: options.outputFolder, resources: resources)
        bar.start()
        do {
            defer { bar.finish() }
            return try body(run)
        } catch is Stopped {
            output.fail(Message.told("stopped", "stopped; nothing is lost, and the same command does the rest"))
            output.end(signalExit: stopping.flag.exitCode)
            return nil
        }
    }
}
