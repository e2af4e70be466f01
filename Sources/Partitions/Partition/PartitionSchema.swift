import Events

// A partition file:
//
//   partition      one row: the log date, its counts, the settings of the load
//   sources, actions, deliveries   the names that belong to the numbers in events
//   events         blocks of sorted events, see Events/EventBlock; section by section
//   daily          the standalone rows of daily_actions, in numbers
//   daily_actions  a view of daily with the columns of the output DB
//   figures        the standalone daily_funnel and hourly_actions, see their files in Counting
//   files, outcomes                as in the output DB
//   contents       what was unpacked of each compressed file, see Hashing/UnpackedContent
//   rejects        rejected records
//   pipeline_keys  a hash of the value of each key of the pipeline file, so that a later load can name those that differ
//   hashes         a hash of each table above, and the schema version again
//
// A settled file has what a log date contributes once nothing can change it (see `ClosedDates`): the same tables without
// events and rejects. Its figures are those that push.db shows, not the standalone ones. It also has:
//
//   sums           the standalone events by platform and action; nothing here reads them

extension DatabaseFile {
    /// "puPt"
    package static func partition(_ path: String) -> DatabaseFile {
        DatabaseFile(
            path: path, applicationID: 0x7075_5074, schema: PartitionSchema.version, hallmark: "hashes")
    }

    /// "puSt"
    package static func settled(_ path: String) -> DatabaseFile {
        DatabaseFile(
            path: path, applicationID: 0x7075_5374, schema: PartitionSchema.version, hallmark: "sums")
    }
}

enum PartitionSchema {
    static let version = 7

    static let partition = Table(
        name: "partition",
        columns: OutputSchema.partitions.columns.filter { $0.name != "warnings" } + [
            .fact(
                "time_zone", .text,
                "Time zone of this file's daily_actions; a hash of its offsets, if a time without an offset was read."),
            .fact("window_days", .integer, "dedup.window_days at load."),
            .fact("version", .text, "Fingerprint of the inputs; equal versions mean equal content."),
        ],
        key: ["log_date"])

    static let contents = Table(
        name: "contents",
        columns: [
            .dimension("source", .text, "Name of the source."),
            .dimension("path", .text, "Path of a gzip file, as in files."),
            .additive("bytes", "bytes", "Bytes of what was unpacked."),
            .fact("crc32", .integer, "CRC-32 of what was unpacked."),
            .fact("head", .text, "Hash of the first 4096 bytes of what was unpacked."),
        ],
        key: ["source", "path"])

    static let rejects = "rejects"
    static let pipelineKeys = "pipeline_keys"
    static let sums = "sums"

    static let tables = [
        partition, OutputSchema.files, OutputSchema.outcomes, contents,
    ]

    private static let platforms = Platform.allCases.map { "WHEN \($0.rawValue) THEN '\($0.name)'" }

    static let settledStatements =
        names + [
            """
            CREATE TABLE sums (
              platform INTEGER NOT NULL,
              action INTEGER NOT NULL,
              events INTEGER NOT NULL,
              PRIMARY KEY (platform, action)
            ) WITHOUT ROWID
            """
        ] + figures

    static let statements =
        names + [
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
            "CREATE INDEX events_by_key ON events (id_space, kind, first, last, number, events)",
            """
            CREATE TABLE rejects (
              source TEXT NOT NULL,
              path TEXT NOT NULL,
              line INTEGER NOT NULL,
              reason TEXT NOT NULL,
              detail TEXT NOT NULL,
              sample TEXT NOT NULL
            )
            """,
            "CREATE TABLE pipeline_keys (key TEXT PRIMARY KEY NOT NULL, hash TEXT NOT NULL) WITHOUT ROWID",
        ] + figures

    private static let names = [
        ContentHashes.creation,
        "CREATE TABLE sources (source INTEGER PRIMARY KEY, name TEXT NOT NULL)",
        "CREATE TABLE actions (action INTEGER PRIMARY KEY, name TEXT NOT NULL)",
        "CREATE TABLE deliveries (delivery INTEGER PRIMARY KEY, delivery_id TEXT NOT NULL)",
    ]

    private static let figures = [
        // Texts would take three times the space and time. Rows are sorted by (day, delivery, platform, source, action).
        """
        CREATE TABLE daily (
          row INTEGER PRIMARY KEY,
          day INTEGER NOT NULL,
          delivery INTEGER NOT NULL,
          source INTEGER NOT NULL,
          action INTEGER NOT NULL,
          platform INTEGER NOT NULL,
          events INTEGER NOT NULL,
          duplicates INTEGER NOT NULL
        )
        """,
        """
        CREATE VIEW daily_actions (
          day, day_start, day_epoch, source, platform, delivery_id, action, events, duplicates
        ) AS SELECT
          date(day * 86400, 'unixepoch'),
          date(day * 86400, 'unixepoch') || ' 00:00:00',
          day * 86400,
          (SELECT name FROM sources WHERE sources.source = daily.source),
          CASE platform \(platforms.joined(separator: " ")) END,
          (SELECT delivery_id FROM deliveries WHERE deliveries.delivery = daily.delivery),
          (SELECT name FROM actions WHERE actions.action = daily.action),
          events,
          duplicates
        FROM daily
        """,
        "CREATE TABLE figures (name TEXT PRIMARY KEY NOT NULL, content BLOB NOT NULL) WITHOUT ROWID",
    ]
}
