import CSQLite
import Calendar
import Foundation
import Partitions
import Posix
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
    package func insertIfNew(into database: Database) throws -> Bool {
        try OutputSchema.runs.insertIfNew(
            .of(
                CalendarText.dateTime(ofMilliseconds: startedAt), CalendarText.dateTime(ofMilliseconds: finishedAt),
                command, logDates, exitCode, records, max(seconds, 0), version), into: database)
    }
}

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
    /// The codes of its warnings, separated by commas; nil without warnings.
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
    package var key: [DatabaseValue] {
        .of(
            CalendarText.date(ofDay: logDate), CalendarText.dateTime(ofMilliseconds: startedAt),
            CalendarText.dateTime(ofMilliseconds: finishedAt))
    }

    /// Adds the row. Returns false if the history has a load of the log date with the same times already.
    package func insertIfNew(into database: Database) throws -> Bool {
        try OutputSchema.loads.insertIfNew(
            key + .of(verdict.rawValue, detail, files, records, accepted, filtered, rejected, events, duplicates),
            into: database)
    }
}

/// The history in the ledger: `runs`, `loads` and `changes`.
package struct LedgerHistory {
    private let database: Database

    package init(in database: Database) {
        self.database = database
    }

    /// Adds a command. Two quick commands may have equal rows: the smallest change of the duration makes them different.
    package func add(_ run: RunRecord) throws -> RunRecord {
        var run = run
        while try !run.insertIfNew(into: database) { run.seconds = run.seconds.nextUp }
        return run
    }

    /// Adds loads. Of two with the same times, the second one ends a second later.
    package func add(_ loads: [LoadRecord], in folder: OutputFolder) throws {
        for var load in loads {
            while try !load.insertIfNew(into: database) { load.finishedAt += 1000 }
            try note(load, in: folder)
        }
    }

    /// Notes the warnings of a load, if its partition stands.
    package func note(_ load: LoadRecord, in folder: OutputFolder) throws {
        guard load.stands else { return }
        // A partition that cannot be read has no version, so that its load's warnings are not shown.
        let version = try? Partition(accountsOf: load.logDate, folder: folder).summary.version
        try database.execute(
            """
            UPDATE loads SET warnings = ?, version = ? WHERE log_date = ? AND started_at = ? AND finished_at = ?
            """, .of(load.warnings, version) + load.key)
    }

    /// Adds the rows that push.db has and the ledger lacks, and what it tells of the last publishing. What has no valid form
    /// stays out.
    ///
    /// - Parameters:
    ///   - push: the path of push.db.
    ///   - isAll: also the list of deliveries.
    package func takeOver(from push: String, isAll: Bool) throws(WarehouseError) {
        guard FileStamp(path: push) != nil else { return }
        try reportingFacts(of: push) {
            try reading {
                try database.execute("ATTACH ? AS push", .of(push))
                // If it stays attached, it goes with the connection.
                defer { try? database.execute("DETACH push") }
                for table in OutputSchema.history {
                    try copy(table.columns.map(\.name), of: table, into: table.name)
                }
                // What the checks found last.
                try copyFact("checks")
                try copyVersions()
                try copySums()
                if isAll { try copyDeliveries() }
            }
        }
    }

    /// Runs `body` with what push.db has. What others have changed in it, or damaged, tells nothing.
    private func reading(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as DatabaseError
            where [SQLITE_ERROR, SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_MISMATCH].contains(error.primaryCode)
        {
        }
    }

    private func copy(
        _ columns: [String], of table: Table, into name: String, where condition: String = "true"
    ) throws {
        let forms = table.columns.filter { columns.contains($0.name) }.map(\.condition)
        assert(forms.count == columns.count)
        try reading {
            let list = columns.joined(separator: ", ")
            try database.execute(
                "INSERT OR IGNORE INTO main.\(name) (\(list)) SELECT \(list) FROM push.\(table.name) NOT INDEXED "
                    + "WHERE \(([condition] + forms).joined(separator: " AND "))")
        }
    }

    private func copyFact(_ item: String) throws {
        try reading {
            try database.execute(
                "INSERT OR IGNORE INTO main.facts SELECT item, version FROM push.publication WHERE item = ?", .of(item))
        }
    }

    /// The versions that push.db shows, and the warnings of these loads.
    private func copyVersions() throws {
        try replace(
            "published_versions",
            "SELECT item, version FROM push.publication WHERE item GLOB '[0-9]*-[0-9]*-[0-9]*'")
        try reading {
            try database.execute(
                """
                UPDATE main.loads SET (warnings, version) =
                  (SELECT p.warnings, version FROM push.publication JOIN push.partitions AS p ON p.log_date = item
                   WHERE item = loads.log_date)
                WHERE version IS NULL AND (log_date, started_at, finished_at) IN (
                  SELECT log_date, started_at, max(finished_at) FROM main.loads AS l
                  WHERE verdict IN ('complete', 'partial') AND started_at =
                    (SELECT max(started_at) FROM main.loads
                     WHERE log_date = l.log_date AND verdict IN ('complete', 'partial'))
                  GROUP BY log_date)
                """)
        }
    }

    private func copySums() throws {
        try replace(
            "published",
            """
            SELECT day, sum(events), sum(messages), sum(opened) FROM (
              SELECT day, events, 0 AS messages, 0 AS opened FROM push.daily_actions NOT INDEXED
              UNION ALL SELECT day, 0, messages, opened FROM push.daily_funnel NOT INDEXED)
            GROUP BY day
            """)
    }

    /// Gives a table the rows of a selection from push.db. If that cannot be read, it stays as it is.
    private func replace(_ table: String, _ selection: String) throws {
        try reading {
            // An immediate transaction would be one on push.db too.
            try database.transaction(isImmediate: false) {
                try database.execute("DELETE FROM main.\(table)")
                try database.execute("INSERT OR IGNORE INTO main.\(table) \(selection)")
            }
        }
    }

    /// What push.db tells of the delivery files, if the ledger has no list.
    private func copyDeliveries() throws {
        guard try !database.hasRow("SELECT 1 FROM main.listed") else { return }
        let sources = [
            (
                OutputSchema.deliveryResults,
                "delivery_id IN (SELECT delivery_id FROM push.deliveries WHERE in_file = 1)"
            ),
            (OutputSchema.deliveryPlatforms, "(sent IS NOT NULL OR delivered IS NOT NULL OR messages = 0)"),
        ]
        for ((name, columns), (table, isListed)) in zip(LedgerDeliveries.tables, sources) {
            try copy(columns, of: table, into: name, where: isListed)
        }
        try copyFact("deliveries")
        try LedgerDeliveries.insertRows(database)
    }
}
