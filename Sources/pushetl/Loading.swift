import ArgumentParser
import Foundation
import LogFiles
import Pipelines
import Warehouse

/// What all commands that load do around the work: progress, signals, the summary and the exit code.
struct Loading {
    let pipeline: Pipeline
    let load: LoadOptions
    let options: PipelineOptions

    func run(_ request: DateRequest, command: String) throws {
        let (report, output) = try work { run in
            (try run.load(request, command: command) { Sentence.of($0, pipeline, nil) }, run.output)
        }
        let namesDates = request.dates.count > 1
        for warning in report.warnings { Console.warn(Sentence.of(warning, pipeline)) }
        for date in report.dates {
            let prefix = namesDates ? "\(date.date): " : ""
            for warning in date.warnings {
                Console.warn(prefix + Sentence.of(warning, pipeline, counts: date.isLoaded))
            }
        }
        if let faults = report.publication?.repaired {
            Console.warn(Sentence.of(faults, at: output.databasePath))
        }
        for damaged in report.publication?.damaged ?? [] { Console.warn(Sentence.of(damaged)) }
        let shown = Result { try show(report, request, output) }
        for date in report.dates {
            guard let sentence = Sentence.of(date, pipeline, report) else { continue }
            // A date without files is no fault of a command that had others to load.
            if date.hasNoFiles, report.status != .noInput { Console.warn(sentence) } else { Console.error(sentence) }
        }
        if report.dates.isEmpty && !report.hasInput { Console.error(Sentence.noFiles(request, pipeline, report)) }
        if let failure = report.publishingFailure, !report.isTold(failure) { Console.error(Sentence.of(failure)) }
        var status = report.status
        if case .failure = shown { status = max(status, .failedIO) }
        if status != .done { try exit(status) }
    }

    private func show(_ report: RunReport, _ request: DateRequest, _ output: OutputFolder) throws {
        if options.json {
            try Console.result(RunSummary(report, output: output))
        } else if !options.quiet {
            let table = RunTable(report, request: request, output: output)
            if !table.text.isEmpty { try Console.result(table.text) }
        }
    }

    /// Says what `run` would do, and does nothing of it.
    func forecast(_ request: DateRequest) throws {
        let (forecast, output) = try work { run in (Forecast(try run.forecast(request)), run.output) }
        for warning in pipeline.missingFolders { Console.warn(Sentence.of(warning, pipeline)) }
        for damage in forecast.dates.compactMap(\.state.damage) { Console.warn(Sentence.of(damage)) }
        if options.json {
            try Console.result(ForecastSummary(forecast, output: output))
        } else if !options.quiet {
            try Console.result(forecast.text)
        }
        guard forecast.status == .noInput else { return forecast.status == .done ? () : try exit(forecast.status) }
        Console.error(Sentence.noFiles(request, pipeline, nil))
        try exit(.noInput)
    }

    private func exit(_ status: ExitStatus) throws {
        throw ExitCode(status.rawValue)
    }

    /// Does something that takes a while, with progress on the terminal, until a signal stops it.
    private func work<Result>(_ body: (PipelineRun) throws -> Result) throws -> Result {
        let stopping = Stopping()
        let means = RunMeans(jobs: load.jobs, memory: load.memory.bytes, force: load.force, stop: stopping.flag)
        let bar = ProgressBar(means.progress, isShown: !load.noProgress && !options.quiet)
        let run = PipelineRun(pipeline, output: options.outputFolder, means: means)
        bar.start()
        do {
            defer { bar.finish() }
            return try body(run)
        } catch is Stopped {
            Console.error("stopped; nothing is half-done, and the same command does the rest")
            throw stopping.exitCode
        } catch {
            throw Console.failure(error)
        }
    }
}
