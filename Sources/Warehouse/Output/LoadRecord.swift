import Calendar
import SQLite

/// A load of a log date: a row of `loads`.
package struct LoadRecord: Codable, Equatable, Sendable {
    package enum Verdict: String, Codable, Sendable {
        case complete
        case partial
        /// The partition that was installed before is unchanged.
        case heldBack = "held_back"
        /// Files could not be read, or the partition could not be written.
        case failed
    }

    /// Days since 1970-01-01.
    package var logDate: Int32
    /// Milliseconds since 1970, like `finishedAt`.
    package var startedAt: Int64
    package var finishedAt: Int64
    package var verdict: Verdict
    /// What the command printed about the load, a line for each sentence; nil if it printed nothing. For a partial load the
    /// first line is about the load, and the others are its warnings.
    package var detail: String?
    /// The codes of its warnings with commas between; nil if there are none.
    package var warnings: String?
    package var files: Int
    package var records: Int
    package var accepted: Int
    package var filtered: Int
    package var rejected: Int
    /// Nil if the load ended before they were counted.
    package var events: Int?
    package var duplicates: Int?

    package init(
        logDate: Int32, startedAt: Int64, finishedAt: Int64, verdict: Verdict, detail: String?, warnings: String?,
        files: Int, records: Int, accepted: Int, filtered: Int, rejected: Int, events: Int?, duplicates: Int?
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

    /// Whether the log date's partition is that of this load.
    var stands: Bool { verdict == .complete || verdict == .partial }

    /// The values of its key in `loads`.
    var key: [DatabaseValue] {
        .of(
            CalendarText.date(ofDay: logDate), CalendarText.dateTime(ofMilliseconds: startedAt),
            CalendarText.dateTime(ofMilliseconds: finishedAt))
    }

    /// Adds the row. Returns false if the history has a load of the log date with the same times already.
    func insertIfNew(into database: Database) throws -> Bool {
        try OutputSchema.loads.insertIfNew(
            key + .of(verdict.rawValue, detail, files, records, accepted, filtered, rejected, events, duplicates),
            into: database)
    }
}
