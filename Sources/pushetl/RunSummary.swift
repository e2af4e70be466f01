import LogFiles
import Pipelines
import Records
import Warehouse

/// The summary of a run as one JSON object.
struct RunSummary: Encodable {
    struct Reject: Encodable {
        let reason: String
        let records: Int
        let firstPath: String?
        let firstLine: Int?
        /// Why that line does not fit its layout; nothing where the reason says all.
        let firstDetail: String?
    }

    struct Date: Encodable {
        let logDate: String
        let result: String
        /// Whether the partition said the same already.
        let unchanged: Bool
        /// How the log date stood before; nothing where that was not asked.
        let before: StateSummary?
        let exitCode: Int32
        let files: Int
        let bytes: Int
        let records: Int
        let accepted: Int
        let events: Int
        let duplicates: Int
        let clockFallback: Int
        let filtered: [String: Int]
        let rejected: [Reject]
        let days: [String]
        let seconds: Double
    }

    let dates: [Date]
    /// Log dates that were looked at and left as they are.
    let skipped: [StateSummary]
    let output: String
    let changed: Bool
    let logDates: [String]
    let exitCode: Int32
    let seconds: Double
    let version: String

    init(_ report: RunReport, output: OutputFolder) {
        dates = report.dates.map { Date($0) }
        skipped = report.skipped.map { StateSummary($0) }
        self.output = output.databasePath
        changed = report.publication?.changed ?? false
        logDates = report.publication?.logDates.map { LogDate(dayNumber: Int($0)).description } ?? []
        exitCode = report.status.rawValue
        seconds = report.seconds
        version = programVersion
    }
}

extension RunSummary.Date {
    init(_ date: LogDateReport) {
        logDate = date.date.description
        result = date.verdict.word
        unchanged = date.isUnchanged
        before = date.stateBefore.map { StateSummary($0) }
        exitCode = date.status.rawValue
        files = date.files
        bytes = date.bytes
        records = date.tally.records
        accepted = date.tally.accepted
        events = date.isLoaded ? date.events : 0
        duplicates = date.isLoaded ? date.duplicates : 0
        clockFallback = date.tally.clockFallback
        filtered = Dictionary(
            uniqueKeysWithValues: FilterReason.allCases.map { ($0.code, date.tally.count($0)) }.filter { $0.1 > 0 })
        rejected = RejectReason.allCases.filter { date.tally.count($0) > 0 }.map { reason in
            let place = date.tally.firstPlace(reason)
            return RunSummary.Reject(
                reason: reason.code, records: date.tally.count(reason), firstPath: place?.path,
                firstLine: place?.line, firstDetail: place.flatMap { $0.detail.isEmpty ? nil : $0.detail })
        }
        days = date.days.map { LogDate(dayNumber: Int($0)).description }
        seconds = date.seconds
    }
}
