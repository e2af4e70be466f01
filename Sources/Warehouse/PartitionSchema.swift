// A partition file:
//
//   partition      one row: the log date, its accounts, what it was loaded with
//   sources, actions, deliveries   the texts behind the numbers in events
//   events         blocks of sorted events, see Events/EventBlock; sections one after another
//   daily_actions  as in the output DB, as if the partition were alone
//   figures        the same in numbers, and the funnel, for publishing; see FigureBytes
//   files, outcomes                as in the output DB
//   rejects        rejected records
//   hashes         a hash of each table above but rejects

extension DatabaseFile {
    /// "puPt"
    static func partition(_ path: String) -> DatabaseFile {
        DatabaseFile(path: path, applicationID: 0x7075_5074, schema: 1)
    }
}

enum PartitionSchema {
    static let partition = Table(
        name: "partition",
        columns: OutputSchema.partitions.columns + [
            .required("time_zone", .text, "Time zone of this file's daily_actions."),
            .required("window_days", .integer, "dedup.window_days at load."),
            .required("version", .text, "Fingerprint of the inputs; equal versions mean equal content."),
        ],
        key: ["log_date"])

    static let tables = [
        partition, OutputSchema.files, OutputSchema.outcomes, OutputSchema.dailyActions,
    ]

    static let statements = [
        ContentHashes.creation,
        "CREATE TABLE sources (source INTEGER PRIMARY KEY, name TEXT NOT NULL)",
        "CREATE TABLE actions (action INTEGER PRIMARY KEY, name TEXT NOT NULL)",
        "CREATE TABLE deliveries (delivery INTEGER PRIMARY KEY, delivery_id TEXT NOT NULL)",
        """
        CREATE TABLE events (
          number INTEGER PRIMARY KEY,
          id_space TEXT NOT NULL,
          kind INTEGER NOT NULL,
          first BLOB NOT NULL,
          last BLOB NOT NULL,
          events INTEGER NOT NULL,
          block BLOB NOT NULL
        )
        """,
        "CREATE INDEX events_by_key ON events (id_space, kind, first, last, events)",
        "CREATE TABLE figures (name TEXT PRIMARY KEY NOT NULL, content BLOB NOT NULL) WITHOUT ROWID",
        """
        CREATE TABLE rejects (
          source TEXT NOT NULL,
          path TEXT NOT NULL,
          line INTEGER NOT NULL,
          reason TEXT NOT NULL,
          sample TEXT NOT NULL
        )
        """,
    ]
}
