import Calendar
import Partitions
import SQLite

/// The tables of push.db that are not meant for readers. They hold what the figures are computed from, unless
/// partitions hold it, and which log dates are shown. Their names begin with `_`.
enum OwnTables {
    /// The first schema with these tables in their present form. A command may read them from a push.db of this schema
    /// or a later one before it makes the tables anew.
    static let schema = DatabaseFile.firstSchema

    /// The tables, by name.
    static let creations: [(name: String, sql: String)] = [
        // What the rows were computed from. `settings` are the publishing settings, `deliveries` is the version of the
        // list of deliveries, `checks` identifies the pipeline's checks. The other keys are copied to `about`.
        (
            "_facts",
            "CREATE TABLE _facts (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID"
        ),
        // The log dates that have rows. `version` is the version of the partition. `settled` identifies the final rows
        // of a settled log date. `shared` is the hash of the file of shared messages: empty if no message is shared,
        // NULL if the ids were not compared. `counted` is a hash of the rows of daily_actions and hourly_actions.
        (
            "_log_dates",
            """
            CREATE TABLE _log_dates (
              log_date TEXT PRIMARY KEY NOT NULL, version TEXT NOT NULL, settled TEXT, shared TEXT, counted TEXT NOT NULL
            ) WITHOUT ROWID
            """
        ),
        // The days on which a log date has rows.
        (
            "_days",
            "CREATE TABLE _days (log_date TEXT NOT NULL, day TEXT NOT NULL, PRIMARY KEY (log_date, day)) WITHOUT ROWID"
        ),
        // The warnings of the last installed load of each log date, with the version of its partition, and whether
        // somebody has accepted the log date as it is.
        (
            "_warnings",
            """
            CREATE TABLE _warnings (
              log_date DATE PRIMARY KEY NOT NULL, version TEXT NOT NULL, codes TEXT NOT NULL, sentences TEXT NOT NULL,
              accepted INTEGER NOT NULL
            ) WITHOUT ROWID
            """
        ),
        // The findings of the pipeline's checks at the last publishing, in the order of the pipeline: the number of
        // rows, the number of new rows, the words, and 8 bytes per row that identify it. `found` is NULL if the check
        // could not be asked. The table is kept when the others are made anew, like the history.
        (
            "_checks",
            """
            CREATE TABLE _checks (
              number INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, found INTEGER, new INTEGER NOT NULL, words TEXT,
              hashes BLOB NOT NULL
            )
            """
        ),
        // The platforms for which a log date has an action that not every platform reports: arrival or failed.
        (
            "_reported",
            """
            CREATE TABLE _reported (
              action TEXT NOT NULL, platform TEXT NOT NULL, log_date TEXT NOT NULL, PRIMARY KEY (action, platform, log_date)
            ) WITHOUT ROWID
            """
        ),
        // The names that the events of each log date give deliveries.
        (
            "_named",
            """
            CREATE TABLE _named (
              log_date TEXT NOT NULL, delivery_id TEXT NOT NULL, label TEXT, campaign TEXT, variant TEXT,
              PRIMARY KEY (log_date, delivery_id)
            ) WITHOUT ROWID
            """
        ),
        // The content of the delivery files, merged by delivery. `sent` and `delivered` are for all platforms.
        // `says_sent` is 1 if the files give a number sent for any platform.
        (
            "_listed",
            """
            CREATE TABLE _listed (
              delivery_id TEXT PRIMARY KEY NOT NULL, label TEXT, campaign TEXT, variant TEXT, sent_at TEXT,
              sent_day TEXT, sent INTEGER, delivered INTEGER, says_sent INTEGER NOT NULL
            ) WITHOUT ROWID
            """
        ),
        // The content of the delivery files by platform, where they have one.
        (
            "_listed_platforms",
            """
            CREATE TABLE _listed_platforms (
              delivery_id TEXT NOT NULL, platform TEXT NOT NULL, sent INTEGER, delivered INTEGER,
              PRIMARY KEY (delivery_id, platform)
            ) WITHOUT ROWID
            """
        ),
    ]

    /// A log date that push.db shows.
    struct ShownDate: Equatable, Sendable {
        let version: String
        let settled: String?
        let shared: String?
        let counted: String

        /// Whether the rows are those of the partition, apart from corrections for shared messages.
        func shows(_ summary: PartitionSummary) -> Bool {
            version == summary.version && settled == summary.settled
        }
    }

    static func shownDates(in database: Database) throws -> [LogDate: ShownDate] {
        let rows = try database.rows("SELECT log_date, version, settled, shared, counted FROM main._log_dates") { row in
            (
                try row.date(0),
                ShownDate(
                    version: try row.read(1), settled: try row.read(2), shared: try row.read(3),
                    counted: try row.read(4))
            )
        }
        return Dictionary(rows) { first, _ in first }
    }

    static func facts(in database: Database) throws -> [String: String] {
        try database.texts("SELECT key, value FROM main._facts")
    }

    static func fact(_ key: String, in database: Database) throws -> String? {
        try database.value("SELECT value FROM main._facts WHERE key = ?", binding: .of(key))
    }

    static func set(_ key: String, to value: String?, in database: Database) throws {
        guard let value else { return try database.execute("DELETE FROM main._facts WHERE key = ?", binding: .of(key)) }
        try database.execute("INSERT OR REPLACE INTO main._facts VALUES (?, ?)", binding: .of(key, value))
    }
}
