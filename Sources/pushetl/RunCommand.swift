import ArgumentParser
import Foundation
import LogFiles
import Pipelines

struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Load a log date and publish the daily figures.",
        discussion: """
            For cron, every night:
              pushetl run --pipeline /etc/pushetl/push.yaml

            A log date again, with what has come since:
              pushetl run --date 2026-11-19

            Loading a date twice counts nothing twice. A date whose load is partial (a damaged file, a missing \
            source) does not replace a complete one, unless --force is given.
            """)

    @Option(
        help: ArgumentHelp(
            "The log date, YYYY-MM-DD (default: yesterday in the pipeline's time zone).", valueName: "date"))
    var date: LogDate?

    @OptionGroup var load: LoadOptions
    @OptionGroup var options: PipelineOptions

    func run() throws {
        let pipeline = try options.readPipeline()
        let date = date ?? LogDate.yesterday(in: pipeline.zone)
        try Loading(pipeline: pipeline, load: load, options: options).run([date], command: "run --date \(date)")
    }
}

/// What all commands that load do around the work: progress, signals, the summary and the exit code.
struct Loading {
    let pipeline: Pipeline
    let load: LoadOptions
    let options: PipelineOptions

    func run(_ dates: [LogDate], command: String) throws {
        let stopping = Stopping()
        let means = RunMeans(jobs: load.jobs, memory: load.memory.bytes, force: load.force, stop: stopping.flag)
        let bar = ProgressBar(means.progress, isShown: !load.noProgress && !options.quiet)
        let run = PipelineRun(pipeline, output: options.outputFolder, means: means)
        bar.start()
        let report: RunReport
        do {
            defer { bar.finish() }
            report = try run.load(dates, command: command)
        } catch is Stopped {
            Console.error("stopped; nothing is half-done, and the same command does the rest")
            throw stopping.exitCode
        } catch {
            throw Console.failure(error)
        }
        for warning in report.dates.flatMap(\.warnings) { Console.warn(Sentence.of(warning, pipeline)) }
        for damaged in report.publication?.damaged ?? [] { Console.warn(Sentence.of(damaged)) }
        if options.json {
            try Console.result(RunSummary(report, output: run.output))
        } else if !options.quiet {
            Console.result(RunTable(report, pipeline: pipeline, output: run.output).text)
        }
        for date in report.dates {
            if let sentence = Sentence.of(date, pipeline) { Console.error(sentence) }
        }
        if let failure = report.publishingFailure { Console.error(Sentence.of(failure)) }
        if report.status != .done { throw ExitCode(report.status.rawValue) }
    }
}

extension LogDate {
    static func yesterday(in zone: TimeZone) -> LogDate {
        let now = Date()
        let local = now.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: now))
        return LogDate(dayNumber: Int((local / 86_400).rounded(.down)) - 1)
    }
}
