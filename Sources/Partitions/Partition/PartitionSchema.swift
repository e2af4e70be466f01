import Counting
import Events

// A partition file:
//
//   partition      one row: the log date, its counts, the settings of the load
//   sources, actions, deliveries   the names that belong to numbers
//   events         blocks of sorted events, see Events/EventBlock; section by section
//   own_actions, own_funnel, own_hours, own_paths
//                  the log date's rows of the four tables of push.db that have rows for each log date, counted for the
//                  log date by itself; once it is settled, its final rows
//   daily_actions, daily_funnel, hourly_actions, daily_paths
//                  views of these with the columns of push.db
//   delivery_names the names that the events of each source give deliveries
//   files, outcomes                as in push.db
//   contents       what was unpacked of each compressed file, see Hashing/UnpackedContent
//   rejects        rejected records
//   seal           one row: a hash of all rows of the tables above, and the version of this schema again
//
// A partition is written when its log date is loaded. It is written again with the final rows when the log date has
// settled, and again without events, samples and details of rejects when its ids are erased (see `ClosedDates`).

extension DatabaseFile {
    /// "puPt"
    package static func partition(_ path: String) -> DatabaseFile {
        DatabaseFile(path: path, applicationID: 0x7075_5074, schema: PartitionSchema.version, hallmark: "seal")
    }
}

enum PartitionSchema {
    static let version = 7

    static let partition = Table(
        name: "partition",
        columns: OutputSchema.partitionColumns + [
            .fact(
                "time_zone", type: .text,
                help: "Time zone of this file's own rows; a hash of its offsets, if a time without an offset was read."),
            .fact("window_days", type: .integer, help: "dedup.window_days at load."),
            .fact("version", type: .text, help: "Fingerprint of the inputs; equal versions mean equal content."),
            .fact(
                "settled", type: .text, help: "Identifies the final rows; NULL if the log date is not settled.",
                mayBeNull: true),
            .fact("has_ids", type: .integer, help: "1, or 0 once the events are erased."),
            .fact(
                "sources", type: .text,
                help: "The sources at load, with a hash of the rules of each, and whether it had files: JSON."),
        ],
        key: ["log_date"])

    static let contents = Table(
        name: "contents",
        columns: [
            .dimension("source", type: .text, help: "Name of the source."),
            .dimension("path", type: .text, help: "Path of a gzip file, as in files."),
            .additive("bytes", unit: "bytes", help: "Bytes of what was unpacked."),
            .fact("crc32", type: .integer, help: "CRC-32 of what was unpacked."),
            .fact("head", type: .text, help: "Hash of the first 4096 bytes of what was unpacked."),
        ],
        key: ["source", "path"])

    static let deliveryNames = Table(
        name: "delivery_names",
        columns: [
            .dimension("delivery_id", type: .text, help: "Delivery id."),
            .dimension("source", type: .text, help: "Name of the source whose events give it the name."),
            .dimension("kind", type: .text, help: "label, campaign or variant."),
            .fact(
                "time", type: .integer, help: "Time of the record that has it, in milliseconds since 1970.", unit: "ms"),
            .fact("name", type: .text, help: "The name."),
        ],
        key: ["delivery_id", "source", "kind"])

    /// A table of numbers. It has no key: rows are read in the order in which they were written.
    struct Numbers: Sendable {
        let name: String
        let columns: [String]

        var selection: String { "SELECT \(columns.joined(separator: ", ")) FROM \(name)" }

        var creation: String {
            "CREATE TABLE \(name) (\(columns.map { "\($0) INTEGER NOT NULL" }.joined(separator: ", ")))"
        }
    }

    // The columns have the order of the numbers in `LogDateRows`.

    private static let counted = ["source", "action", "platform", "events", "duplicates"]
    static let actions = Numbers(name: "own_actions", columns: ["day", "delivery"] + counted)
    static let hours = Numbers(name: "own_hours", columns: ["hour", "offset"] + counted)
    static let funnel = funnel(without: [])
    static let paths = Numbers(
        name: "own_paths",
        columns: ["day", "platform", "has_arrival", "has_impression", "has_click", "has_open", "messages"])
    static let ownRows = [actions, hours, funnel, paths]

    /// - Parameter unknown: the columns that the rows lack, since an earlier version of the program wrote them.
    static func funnel(without unknown: Set<FunnelColumn>) -> Numbers {
        let known = FunnelColumn.allCases.filter { !unknown.contains($0) }
        return Numbers(name: "own_funnel", columns: ["day", "delivery", "platform"] + known.map(\.name))
    }

    /// The definitions of all tables and views.
    static let definitions = "SELECT type, name, tbl_name, sql FROM sqlite_master"

    /// The tables whose rows are part of the seal's hash. The hash also contains the definitions, and the events, which
    /// are read in another way.
    static let sealed =
        [partition, OutputSchema.files, OutputSchema.outcomes, contents, deliveryNames].map(\.name)
        + ["sources", "actions", "deliveries", "rejects"] + ownRows.map(\.name)

    static let statements =
        [partition, OutputSchema.files, OutputSchema.outcomes, contents, deliveryNames].map(\.creation) + [
            "CREATE TABLE seal (hash INTEGER NOT NULL, schema INTEGER NOT NULL)",
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
            "CREATE INDEX events_by_key ON events (id_space, kind, first, last, number, events)",
            """
            CREATE TABLE rejects (
              number INTEGER PRIMARY KEY,
              source TEXT NOT NULL,
              path TEXT NOT NULL,
              line INTEGER NOT NULL,
              reason TEXT NOT NULL,
              detail TEXT NOT NULL,
              sample TEXT NOT NULL
            )
            """,
        ]

    // MARK: Views

    /// SQL for columns of push.db in terms of the numbers. Columns that are not listed have the same name in both.
    private static let expressions = [
        "day": "date(day * 86400, 'unixepoch')",
        "day_start": "date(day * 86400, 'unixepoch') || ' 00:00:00'",
        "day_epoch": "day * 86400",
        "log_date": "(SELECT log_date FROM partition)",
        "source": "(SELECT name FROM sources WHERE sources.source = own.source)",
        "action": "(SELECT name FROM actions WHERE actions.action = own.action)",
        "delivery_id": "(SELECT delivery_id FROM deliveries WHERE deliveries.delivery = own.delivery)",
        "platform":
            "CASE platform \(Platform.allCases.map { "WHEN \($0.rawValue) THEN '\($0.name)'" }.joined(separator: " ")) END",
    ]

    /// SQL for columns of push.db in terms of a number of hours. Days are rounded down, also before 1970.
    private static let expressionsOfHours = [
        "day": "date(hour * 3600, 'unixepoch')",
        "day_start": "date(hour * 3600, 'unixepoch') || ' 00:00:00'",
        "day_epoch": "unixepoch(date(hour * 3600, 'unixepoch'))",
        "hour": "(hour * 3600 - unixepoch(date(hour * 3600, 'unixepoch'))) / 3600",
        "hour_epoch": "hour * 3600 - offset",
        "hour_start": "strftime('%Y-%m-%d %H:00:00', hour * 3600, 'unixepoch')",
    ]

    /// The statements that make the tables of the rows, and their views.
    static func statements(without unknown: Set<FunnelColumn>) -> [String] {
        let tables = [actions, hours, funnel(without: unknown), paths]
        let views = [
            OutputSchema.dailyActions, OutputSchema.hourlyActions, OutputSchema.dailyFunnel, OutputSchema.dailyPaths,
        ]
        return tables.map(\.creation)
            + zip(views, tables).map { view, numbers in
                var expressions = expressions.merging(numbers.name == hours.name ? expressionsOfHours : [:]) { $1 }
                for column in unknown { expressions[column.name] = "NULL" }
                let columns = view.columns.map { "\(expressions[$0.name] ?? $0.name) AS \($0.name)" }
                return
                    "CREATE VIEW \(view.name) AS SELECT\n  \(columns.joined(separator: ",\n  "))\nFROM \(numbers.name) AS own"
            }
    }
}
