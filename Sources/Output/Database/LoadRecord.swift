import Calendar
import Partitions
import SQLite

/// A load of a log date: a row of `loads`.
package struct LoadRecord: Codable, Equatable, Sendable {
    package enum Verdict: String, Codable, Sendable {
        case loaded
        case partial
        /// The partition that was installed before is unchanged.
        case held
        /// It is partial, or lacks files or hours, and somebody has accepted it as it is.
        case accepted
        /// Files could not be read, or the partition could not be written.
        case failed
    }

    package var logDate: LogDate
    /// Milliseconds since 1970, like `finishedAt`.
    package var startedAt: Int64
    package var finishedAt: Int64
    package var verdict: Verdict
    /// What the command printed about the load, a line for each sentence; nil if it printed nothing.
    package var detail: String?
    package var warnings: LoadWarnings
    package var files: Int
    package var records: Int
    package var accepted: Int
    package var filtered: Int
    package var rejected: Int
    /// Nil if the load ended before they were counted.
    package var events: Int?
    package var duplicates: Int?

    package init(
        logDate: LogDate, startedAt: Int64, finishedAt: Int64, verdict: Verdict, detail: String?,
        warnings: LoadWarnings, files: Int, records: Int, accepted: Int, filtered: Int, rejected: Int, events: Int?,
        duplicates: Int?
    ) {
        self.logDate = logDate
        self.startedAt = startedAt
        self.finishedAt = finishedAt
        self.verdict = verdict
        self.detail = detail
        self.warnings = warnings
        self.files = files
        self.records = records
        self.accepted = accepted
        self.filtered = filtered
        self.rejected = rejected
        self.events = events
        self.duplicates = duplicates
    }

    /// Whether the load made, or confirmed, the log date's partition.
    var stands: Bool { verdict == .loaded || verdict == .partial || verdict == .accepted }

    /// The values of its key in `loads`.
    private var key: [DatabaseValue] {
        .of(
            logDate.description, CalendarText.dateTime(ofMilliseconds: startedAt),
            CalendarText.dateTime(ofMilliseconds: finishedAt))
    }

    /// Adds the row. Returns false if the history has a load of the log date with the same times already.
    func insertIfNew(into database: Database) throws -> Bool {
        try OutputSchema.loads.insertIfNew(
            key + .of(verdict.rawValue, detail, files, records, accepted, filtered, rejected, events, duplicates),
            into: database)
    }
}
