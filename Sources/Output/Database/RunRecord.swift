import Calendar
import Partitions
import SQLite

/// A command that loaded, published or held back something: a row of `runs`.
package struct RunRecord: Codable, Equatable, Sendable {
    /// Milliseconds since 1970, like `finishedAt`.
    package var startedAt: Int64
    package var finishedAt: Int64
    package var command: String
    /// The log dates that were read, separated by spaces.
    package var logDates: String
    package var exitCode: Int
    /// The number of records that it read.
    package var records: Int
    /// The duration of the command.
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

    /// Returns false if the history already has the same row.
    func insertIfNew(into database: Database) throws -> Bool {
        try OutputSchema.runs.insertIfNew(
            .of(
                CalendarText.dateTime(ofMilliseconds: startedAt), CalendarText.dateTime(ofMilliseconds: finishedAt),
                command, logDates, exitCode, records, max(seconds, 0), version), into: database)
    }
}
