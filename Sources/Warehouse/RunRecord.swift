import GRDB

/// One command in the history of commands that loaded or published something.
package struct RunRecord: Equatable, Sendable {
    /// Milliseconds since 1970.
    package var startedAt: Int64
    package var finishedAt: Int64
    package var command: String
    package var logDates: String
    package var exitCode: Int
    package var records: Int
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

    func insert(into database: Database) throws {
        let sql = OutputSchema.runs.insertion.replacing("INSERT INTO", with: "INSERT OR IGNORE INTO")
        let insertion = try database.makeStatement(sql: sql)
        var seconds = max(self.seconds, 0)
        repeat {
            try insertion.execute(arguments: [
                CalendarText.dateTime(ofMilliseconds: startedAt), CalendarText.dateTime(ofMilliseconds: finishedAt),
                command, logDates, exitCode, records, seconds, version,
            ])
            // Two quick commands may look the same but for the last bit of their duration.
            seconds = seconds.nextUp
        } while database.changesCount == 0
    }
}
