import Calendar
import Foundation
import Partitions
import SQLite

/// A command that loaded, published or held back something: a row of `runs`.
package struct RunRecord: Codable, Equatable, Sendable {
    /// Milliseconds since 1970, like `finishedAt`.
    package var startedAt: Int64
    package var finishedAt: Int64
    package var command: String
    /// The log dates as printed.
    package var logDates: String
    package var exitCode: Int
    /// The number of records that it read.
    package var records: Int
    /// How long it took.
    package var seconds: Double
    package var version: String

    package init(
        startedAt: Int64, finishedAt: Int64, command: String, logDates: String, exitCode: Int, records: Int,
        seconds: Double, version: String
    ) {
        self.startedAt = startedAt
        self.finishedAt = finishedAt
        self.command = command
        self.logDates = logDates
        self.exitCode = exitCode
        self.records = records
        self.seconds = seconds
        self.version = version
    }

    /// Returns false if the history has the same row already.
    func insertIfNew(into database: Database) throws -> Bool {
        try OutputSchema.runs.insertIfNew(
            .of(
                CalendarText.dateTime(ofMilliseconds: startedAt), CalendarText.dateTime(ofMilliseconds: finishedAt),
                command, logDates, exitCode, records, max(seconds, 0), version), into: database)
    }
}

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

    /// Whether the log date's partition is that of this load.
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

extension Database {
    /// Adds a command to the history. Two quick commands may have equal rows: the smallest change of the duration makes them
    /// different.
    func add(_ run: RunRecord) throws {
        var run = run
        while try !run.insertIfNew(into: self) { run.seconds = run.seconds.nextUp }
    }

    /// Adds loads to the history, and notes the warnings of those that stand. Of two with the same times, the second one ends a
    /// second later.
    /// - Parameter versions: of the partitions that stand.
    func add(_ loads: [LoadRecord], versions: [LogDate: String]) throws {
        for var load in loads {
            while try !load.insertIfNew(into: self) { load.finishedAt += 1000 }
            guard load.stands, let version = versions[load.logDate] else { continue }
            let warnings = load.warnings
            let date = load.logDate.description
            let told = LoadWarnings.Told(sentences: warnings.sentences, gaps: warnings.gaps)
            let sentences = String(decoding: try JSONEncoder.stored.encode(told), as: UTF8.self)
            try execute(
                "INSERT OR REPLACE INTO _warnings VALUES (?, ?, ?, ?, ?)",
                binding: .of(date, version, warnings.column ?? "", sentences, warnings.isAccepted ? 1 : 0))
        }
    }
}
