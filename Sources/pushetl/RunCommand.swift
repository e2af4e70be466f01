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

            The same, and what the last week has missed or got since:
              pushetl run --catch-up 7

            A log date again, with what has come since:
              pushetl run --date 2026-11-19

            Loading a date twice counts nothing twice, and a load that changes nothing writes nothing. A date whose load is partial (a damaged file, a missing \
            source) does not replace a complete one, unless --force is given.
            """)

    @Option(
        help: ArgumentHelp(
            "The log date, YYYY-MM-DD (default: yesterday in the pipeline's time zone).", valueName: "date"))
    var date: LogDate?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Load also those of this many log dates before it that are missing, partial or stale.", valueName: "n"))
    var catchUp: Int = 0

    @OptionGroup var load: LoadOptions
    @OptionGroup var options: PipelineOptions

    func validate() throws {
        guard (0...DateRequest.mostDates).contains(catchUp) else {
            throw ValidationError("--catch-up takes a number from 0 to \(DateRequest.mostDates).")
        }
    }

    func run() throws {
        let pipeline = try options.readPipeline(loadsPastDates: catchUp > 0)
        let date = date ?? LogDate.yesterday(in: pipeline.zone)
        try Loading(pipeline: pipeline, load: load, options: options).run(
            DateRequest(date, catchUp: catchUp),
            command: "run --date \(date)" + (catchUp > 0 ? " --catch-up \(catchUp)" : ""))
    }
}

extension LogDate {
    static func yesterday(in zone: TimeZone) -> LogDate {
        let now = Date()
        let local = now.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: now))
        return LogDate(dayNumber: Int((local / 86_400).rounded(.down)) - 1)
    }
}
