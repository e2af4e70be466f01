import Calendar
import Messages
import Output
import Partitions
import Pipelines

/// The result of a command that loads: a table for people, and the same facts as JSON, in the words of the output DB.
struct RunSummary: CommandResult {
    struct Outcome: Encodable {
        let outcome: String
        /// Empty for accepted records.
        let reason: String
        let records: Int
        /// For rejects, the location of the first one.
        let firstPath: String?
        let firstLine: Int?
        /// Why that line does not fit its layout; absent if the reason says it all.
        let firstDetail: String?

        init(_ count: FileTally.Count, _ paths: ShownPaths) {
            (outcome, reason, records) = (count.outcome.rawValue, count.reason, count.records)
            firstPath = count.first.map { paths.opening($0.path) }
            firstLine = count.first?.line
            firstDetail = count.first.flatMap { $0.detail.isEmpty ? nil : $0.detail }
        }
    }

    struct Date: Encodable {
        let logDate: String
        /// As in `loads`: complete, partial, held_back or failed; and no_files.
        let verdict: String
        /// Whether the partition had the same content already.
        let unchanged: Bool
        /// The log date's state before the load; absent if it was not compared.
        let before: StateSummary?
        let exitCode: Int32
        let files: Int
        let bytes: Int
        let records: Int
        let accepted: Int
        let filtered: Int
        let rejected: Int
        let events: Int
        let duplicates: Int
        let clockFallback: Int
        let outcomes: [Outcome]
        let days: [String]
        let seconds: Double
    }

    /// The log dates that were to be loaded.
    let logDates: [Date]
    /// Log dates that were compared and left alone.
    let skipped: [StateSummary]
    let output: String
    /// Whether the output DB was written.
    let changed: Bool
    /// The log dates that the figures were made from.
    let publishedLogDates: [String]
    /// What became of old log dates; absent without `retention`.
    let retention: RetentionSummary?
    let seconds: Double
    let version: String
    let text: String

    private enum CodingKeys: CodingKey {
        case logDates, skipped, output, changed, publishedLogDates, retention, seconds, version
    }

    init(
        _ report: RunReport, request: DateRequest, output: OutputFolder, _ paths: ShownPaths, isVerbose: Bool
    ) {
        logDates = report.dates.map { Date($0, paths) }
        skipped = report.skipped.map { StateSummary($0, paths) }
        self.output = paths.opening(output.databasePath)
        changed = report.publication?.changed ?? false
        publishedLogDates = report.publication?.logDates.map { LogDate(dayNumber: Int($0)).description } ?? []
        retention = report.publication?.closing.map { RetentionSummary($0) }
        seconds = report.seconds
        version = programVersion
        text = RunTable(report, request: request, output: output, paths, isVerbose: isVerbose).text
    }
}

extension RunSummary.Date {
    init(_ date: LogDateReport, _ paths: ShownPaths) {
        logDate = date.date.description
        verdict = date.verdict.word
        unchanged = date.isUnchanged
        before = date.stateBefore.map { StateSummary($0, paths) }
        exitCode = date.status.rawValue
        files = date.files
        bytes = date.bytes
        records = date.tally.records
        accepted = date.tally.accepted
        filtered = date.tally.filtered
        rejected = date.tally.rejected
        events = date.isLoaded ? date.events : 0
        duplicates = date.isLoaded ? date.duplicates : 0
        clockFallback = date.tally.clockFallback
        outcomes = date.tally.counts.map { RunSummary.Outcome($0, paths) }
        days = date.days.map { LogDate(dayNumber: Int($0)).description }
        seconds = date.seconds
    }
}
