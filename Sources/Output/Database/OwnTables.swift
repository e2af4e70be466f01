import Calendar
import Partitions
import SQLite

/// The tables of push.db that are not for readers: what the figures follow from, as far as it is not in the partitions, and which
/// log dates are shown. Their names begin with `_`.
enum OwnTables {
    /// The schema of push.db since which the tables are as they are now. So a command may read them before it makes the push.db of an
    /// earlier version anew.
    static let schema = 7

    /// The tables, by name.
    static let creations: [(name: String, sql: String)] = [
        // What the rows follow from: `settings` are those of publishing, `deliveries` is the version of the list of
        // deliveries, `checks` identifies the checks that were asked. Others are for `about`.
        (
            "_facts",
            "CREATE TABLE _facts (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID"
        ),
        // The log dates that have rows. `version` is that of the partition, `settled` identifies the final rows of one that has
        // settled, and `shared` is the hash of its file of shared messages: empty if it shares none, NULL if its ids were not
        // compared. `counted` is a hash of its rows of daily_actions and hourly_actions.
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
        // The warnings of the last load of a log date that stands, by the version of the partition that it made, and whether somebody
        // has accepted it as it is.
        (
            "_warnings",
            """
            CREATE TABLE _warnings (
              log_date DATE PRIMARY KEY NOT NULL, version TEXT NOT NULL, codes TEXT NOT NULL, sentences TEXT NOT NULL,
              accepted INTEGER NOT NULL
            ) WITHOUT ROWID
            """
        ),
        // What the checks of the pipeline found at the last publishing, in the order of the pipeline: how many rows, how many
        // of these were new, what was told of them, and 8 bytes for each row that tell it from others. `found` is NULL if one
        // could not be asked. It is kept as the history is.
        (
            "_checks",
            """
            CREATE TABLE _checks (
              number INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, found INTEGER, new INTEGER NOT NULL, words TEXT,
              hashes BLOB NOT NULL
            )
            """
        ),
        // The platforms of which a log date has an action that not all report: arrival, failed.
        (
            "_reported",
            """
            CREATE TABLE _reported (
              action TEXT NOT NULL, platform TEXT NOT NULL, log_date TEXT NOT NULL, PRIMARY KEY (action, platform, log_date)
            ) WITHOUT ROWID
            """
        ),
        // What the events of each log date call deliveries.
        (
            "_named",
            """
            CREATE TABLE _named (
              log_date TEXT NOT NULL, delivery_id TEXT NOT NULL, label TEXT, campaign TEXT, variant TEXT,
              PRIMARY KEY (log_date, delivery_id)
            ) WITHOUT ROWID
            """
        ),
        // What the delivery files say, merged by delivery; `sent` and `delivered` are of all platforms. `says_sent` is 1 if they
        // say of any platform what was sent.
        (
            "_listed",
            """
            CREATE TABLE _listed (
              delivery_id TEXT PRIMARY KEY NOT NULL, label TEXT, campaign TEXT, variant TEXT, sent_at TEXT,
              sent_day TEXT, sent INTEGER, delivered INTEGER, says_sent INTEGER NOT NULL
            ) WITHOUT ROWID
            """
        ),
        // The same by platform, where the files split it.
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

        /// Whether its rows are those of a partition, as far as they follow from that alone.
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
