import GRDB

/// One command in the history of commands that loaded or published something.
package struct RunRecord: Codable, Equatable, Sendable {
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
        var run = self
        // Two quick commands may look the same but for the last bit of their duration.
        while try !run.insertIfNew(into: database) { run.seconds = run.seconds.nextUp }
    }

    /// False if it is there already.
    func insertIfNew(into database: Database) throws -> Bool {
        let sql = OutputSchema.runs.insertion.replacing("INSERT INTO", with: "INSERT OR IGNORE INTO")
        try database.execute(
            sql: sql,
            arguments: [
                CalendarText.dateTime(ofMilliseconds: startedAt), CalendarText.dateTime(ofMilliseconds: finishedAt),
                command, logDates, exitCode, records, max(seconds, 0), version,
            ])
        return database.changesCount > 0
    }
}
