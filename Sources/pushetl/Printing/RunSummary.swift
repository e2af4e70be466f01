import Calendar
import Messages
import Output
import Partitions
import Pipelines

/// The result of a command that loads: a table for people, and the same facts as JSON, in the words of the output DB.
struct RunSummary: CommandResult {
    /// The log dates that were to be loaded.
    let logDates: [LogDateReport]
    /// Log dates that were compared and left alone.
    let skipped: [LogDateState]
    let output: String
    /// Whether the output DB was written.
    let changed: Bool
    /// The log dates that the figures were made from.
    let publishedLogDates: [LogDate]
    /// What became of old log dates; absent without `retention`.
    let retention: ClosingResult?
    let seconds: Double
    let version: String
    let text: String

    private enum CodingKeys: CodingKey {
        case logDates, skipped, output, changed, publishedLogDates, retention, seconds, version
    }

    init(
        _ report: RunReport, request: DateRequest, output: OutputFolder, _ paths: ShownPaths, isVerbose: Bool
    ) {
        logDates = report.dates
        skipped = report.skipped
        self.output = paths.opening(output.databasePath)
        changed = report.publication?.changed ?? false
        publishedLogDates = report.publication?.logDates.map { LogDate(dayNumber: Int($0)) } ?? []
        retention = report.publication?.closing
        seconds = report.seconds
        version = programVersion
        text = RunTable(report, request: request, output: output, paths, isVerbose: isVerbose).text
    }
}
