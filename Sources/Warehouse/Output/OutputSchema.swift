import GRDB

extension DatabaseFile {
    /// "puDB"
    static func output(_ path: String) -> DatabaseFile {
        DatabaseFile(
            path: path, applicationID: 0x7075_4442, schema: OutputSchema.version, oldestSchema: 1,
            hallmark: OutputSchema.publication.name)
    }
}

/// The tables of the output DB, with the description of each column.
enum OutputSchema {
    /// Version 1 has no `loads`.
    static let version = 2

    private static let day = Table.Column.required(
        "day", .date, "Calendar day of the event's own time in the pipeline's time zone, YYYY-MM-DD.")
    private static let dayEpoch = Table.Column.required(
        "day_epoch", .integer, "Unix time in seconds of 00:00 UTC of the date in day.")
    private static let logDate = Table.Column.required(
        "log_date", .date, "The day whose files were loaded together, YYYY-MM-DD.")
    private static let source = Table.Column.required("source", .text, "Name of the source in the pipeline file.")

    static let dailyActions = Table(
        name: "daily_actions",
        columns: [
            day, dayEpoch,
            .required("source", .text, "Name of the source in the pipeline file that the event came from."),
            .required("platform", .text, "android, ios, web or unknown."),
            .required("delivery_id", .text, "Delivery id of the event."),
            .required("action", .text, "What was done: impression, click, open, arrival or another action's name."),
            .required("events", .integer, "Events that count: each (message, action) counts once. Additive."),
            .required(
                "duplicates", .integer,
                "Records that are not an event that counts, in the row of their partition's event. Additive."),
            .optional(
                "first_at", .dateTime,
                "Time in UTC, cut to the second, of the earliest event that counts; NULL if none does."),
            .optional(
                "last_at", .dateTime,
                "Time in UTC, cut to the second, of the latest event that counts; NULL if none does."),
        ],
        key: ["day", "source", "platform", "delivery_id", "action"], indexes: [["delivery_id", "day"]])

    static let dailyFunnel = Table(
        name: "daily_funnel",
        columns: [
            .required("day", .date, "Day of the message's first event in the pipeline's time zone, YYYY-MM-DD."),
            dayEpoch,
            .required("platform", .text, "Platform of the message's first event: android, ios, web or unknown."),
            .required("delivery_id", .text, "Delivery id of the message's first event."),
            .required("messages", .integer, "Messages first seen on the day. Additive."),
            .required("arrived", .integer, "Of these messages, those with an arrival. Additive."),
            .required("impressed", .integer, "Of these messages, those with an impression. Additive."),
            .required(
                "clicked", .integer, "Of these messages, those with a click, dismissals included. Additive."),
            .required("opened", .integer, "Of these messages, those with an open. Additive."),
            .required("dismissed", .integer, "Of these messages, those clicked and not opened. Additive."),
            .required("opened_without_click", .integer, "Of these messages, those opened and not clicked. Additive."),
            .required(
                "opened_without_impression", .integer, "Of these messages, those opened and not impressed. Additive."),
            .optional("click_rate", .real, "clicked / messages, between 0 and 1. Never average it; divide sums."),
            .optional("open_rate", .real, "opened / messages, between 0 and 1. Never average it; divide sums."),
            .optional("dismiss_rate", .real, "dismissed / messages, between 0 and 1. Never average it; divide sums."),
        ],
        key: ["day", "platform", "delivery_id"], indexes: [["delivery_id", "day"]])

    static let days = Table(
        name: "days",
        columns: [
            day, dayEpoch,
            .required("events", .integer, "Sum of events in daily_actions."),
            .required("messages", .integer, "Sum of messages in daily_funnel."),
            .required(
                "final", .integer,
                "1 once a log date more than window_days after the day is loaded, else 0. Only hits that reach the collector later still can change its figures."
            ),
        ],
        key: ["day"])

    static let partitions = Table(
        name: "partitions",
        columns: [
            logDate,
            .required("status", .text, "complete, or partial: a file was damaged, or a required source had none."),
            .required("files", .integer, "Number of input files."),
            .required("records", .integer, "Records read: accepted + filtered + rejected."),
            .required("accepted", .integer, "Records that are valid hits: events + duplicates."),
            .required("filtered", .integer, "Records that are valid but no hits of ours; outcomes has the reasons."),
            .required("rejected", .integer, "Records that are faulty; outcomes has the reasons."),
            .required("events", .integer, "Different (message, action), before other partitions are compared."),
            .required("duplicates", .integer, "accepted - events, before other partitions are compared."),
            .required(
                "clock_fallback", .integer,
                "Accepted records whose device clock was wrong, so that another time counts."
            ),
            .required("pipeline", .text, "Fingerprint of the meaning of the pipeline file it was loaded with."),
        ],
        key: ["log_date"])

    static let files = Table(
        name: "files",
        columns: [
            logDate, source,
            .required("path", .text, "The file, by the pattern of its source with placeholders and globs filled in."),
            .required("bytes", .integer, "Size of the file, as it is stored."),
            .required("fingerprint", .text, "Identifies the file's bytes."),
            .required("status", .text, "ok, truncated (ends inside a gzip member) or damaged (bad gzip data)."),
            .required("records", .integer, "Records in the file: accepted + filtered + rejected."),
            .required("accepted", .integer, "Records that are valid hits."),
            .required("filtered", .integer, "Records that are valid but no hits of ours."),
            .required("rejected", .integer, "Records that are faulty."),
        ],
        key: ["log_date", "source", "path"])

    static let outcomes = Table(
        name: "outcomes",
        columns: [
            logDate, source,
            .required("outcome", .text, "accepted, filtered or rejected."),
            .required("reason", .text, "Why it was filtered or rejected; empty for accepted."),
            .required("records", .integer, "Number of records. Additive."),
        ],
        key: ["log_date", "source", "outcome", "reason"])

    static let runs = Table(
        name: "runs",
        columns: [
            .required("started_at", .dateTime, "Start of the command in UTC."),
            .required("finished_at", .dateTime, "End of the command in UTC."),
            .required("command", .text, "The command: run, backfill, …"),
            .required("log_dates", .text, "The log dates it read."),
            .required("exit_code", .integer, "Its exit code; 0 is success."),
            .required("records", .integer, "Records that it read."),
            .required("seconds", .real, "How long it took."),
            .required("version", .text, "Version of the program."),
        ],
        key: ["started_at", "finished_at", "command", "log_dates", "seconds"])

    static let loads = Table(
        name: "loads",
        columns: [
            logDate,
            .required("started_at", .dateTime, "Start of the log date's load in UTC."),
            .required("finished_at", .dateTime, "End of the log date's load in UTC."),
            .required(
                "verdict", .text,
                "complete, partial, held_back (what was loaded before stands), or failed (files could not be read)."),
            .optional("detail", .text, "The message that the command printed about the load; NULL if it printed none."),
            .required("files", .integer, "Number of files that were read."),
            .required("records", .integer, "Records read: accepted + filtered + rejected."),
            .required("accepted", .integer, "Records that are valid hits."),
            .required("filtered", .integer, "Records that are valid but no hits of ours."),
            .required("rejected", .integer, "Records that are faulty."),
            .optional("events", .integer, "Different (message, action); NULL if the load ended before."),
            .optional("duplicates", .integer, "accepted - events; NULL if the load ended before."),
        ],
        key: ["log_date", "started_at", "finished_at"])

    /// The tables that cannot be computed again.
    static let history = [runs, loads]

    static let publication = Table(
        name: "publication",
        columns: [
            .required("item", .text, "A log date (YYYY-MM-DD), 'settings', or a daily table and a day."),
            .required("version", .text, "The version that the figures were made from, or a hash of the day's rows."),
        ],
        key: ["item"])

    static let columnsHelp = Table(
        name: "columns_help",
        columns: [
            .required("table_name", .text, "Name of a table of this database."),
            .required("column_name", .text, "Name of a column of the table."),
            .required("description", .text, "What the column holds, with its unit or formula."),
        ],
        key: ["table_name", "column_name"])

    static let tables = [
        dailyActions, dailyFunnel, days, partitions, files, outcomes, runs, loads, publication, columnsHelp,
    ]

    /// The rows of `columns_help`, in the order of its key.
    static var helpRows: [[DatabaseValue]] {
        tables.sorted { $0.name < $1.name }.flatMap { table in
            table.columns.sorted { $0.name < $1.name }.map { column in
                [table.name.databaseValue, column.name.databaseValue, column.help.databaseValue]
            }
        }
    }

    /// The rows of `publication`, in the order of its key.
    static func publicationRows(_ items: [String: String]) -> [[DatabaseValue]] {
        items.sorted { $0.key < $1.key }.map { [$0.databaseValue, $1.databaseValue] }
    }
}
