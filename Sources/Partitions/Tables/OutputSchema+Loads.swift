import Counting

// The tables about loads, and about push.db itself.

extension OutputSchema {
    private static let logDate = Table.Column.time(
        "log_date", type: .date, help: "The day whose files were loaded together, YYYY-MM-DD.")
    private static let source = Table.Column.dimension(
        "source", type: .text, help: "Name of the source in the pipeline file.")

    package static let partitions = Table(
        name: "partitions",
        columns: [
            logDate,
            .dimension(
                "status", type: .text,
                help:
                    "complete, or partial: a file was damaged, or a source had no files that the pipeline file of now requires."
            ),
            .additive("files", unit: "files", help: "Number of input files."),
            .additive("records", unit: "records", help: "Records read: accepted + filtered + rejected."),
            .additive("accepted", unit: "records", help: "Records that are valid hits: events + duplicates."),
            .additive(
                "filtered", unit: "records",
                help: "Valid records that are not hits of push messages; outcomes has the reasons."),
            .additive("rejected", unit: "records", help: "Records that are faulty; outcomes has the reasons."),
            .fact(
                "events", type: .integer,
                help: "Different (message, action) pairs, before other partitions are compared.",
                unit: "events"),
            .fact(
                "duplicates", type: .integer, help: "accepted - events, before other partitions are compared.",
                unit: "records"),
            .additive(
                "clock_fallback", unit: "records",
                help: "Accepted records whose device clock was wrong, so that another time counts."
            ),
            .fact(
                "warnings", type: .text,
                help:
                    "Codes of the warnings of its load, separated by commas; NULL if it had no warnings, or they are not known. "
                    + "loads has their sentences.",
                mayBeNull: true),
            .dimension(
                "accepted_as_is", type: .integer,
                help:
                    "1 where somebody has accepted the log date with --force, although it is partial or lacks files or hours; else 0."
            ),
            .fact("pipeline", type: .text, help: "Fingerprint of the meaning of the pipeline file it was loaded with."),
        ],
        key: ["log_date"])

    /// The columns of `partitions` that a partition has too. The other columns come from the history.
    package static let partitionColumns = partitions.columns.filter { column in
        !["warnings", "accepted_as_is"].contains(column.name)
    }

    package static let files = Table(
        name: "files",
        columns: [
            logDate, source,
            .dimension(
                "path", type: .text,
                help: "The file, by the pattern of its source with placeholders and globs filled in."),
            .additive("bytes", unit: "bytes", help: "Size of the file, as it is stored."),
            .fact("fingerprint", type: .text, help: "Identifies the file's bytes."),
            .dimension(
                "status", type: .text,
                help: "ok, truncated (ends inside a gzip member or zstd frame) or damaged (bad gzip or zstd data)."),
            .additive("records", unit: "records", help: "Records in the file: accepted + filtered + rejected."),
            .additive("accepted", unit: "records", help: "Records that are valid hits."),
            .additive("filtered", unit: "records", help: "Valid records that are not hits of push messages."),
            .additive("rejected", unit: "records", help: "Records that are faulty."),
        ],
        key: ["log_date", "source", "path"])

    package static let outcomes = Table(
        name: "outcomes",
        columns: [
            logDate, source,
            .dimension("outcome", type: .text, help: "accepted, filtered or rejected."),
            .dimension("reason", type: .text, help: "Why it was filtered or rejected; empty for accepted."),
            .additive("records", unit: "records", help: "Number of records."),
        ],
        key: ["log_date", "source", "outcome", "reason"])

    package static let held = Table(
        name: "held",
        columns: [
            logDate,
            .time("held_at", type: .dateTime, help: "When its last load was held back, in UTC."),
            .dimension("reason", type: .text, help: "Why: too_many_rejects, loss, partial, foreign_files, …"),
            .fact("detail", type: .text, help: "The same as a sentence."),
        ],
        key: ["log_date"])

    package static let runs = Table(
        name: "runs",
        columns: [
            .time("started_at", type: .dateTime, help: "Start of the command in UTC."),
            .time("finished_at", type: .dateTime, help: "End of the command in UTC."),
            .dimension("command", type: .text, help: "The command: run, backfill, …"),
            .fact("log_dates", type: .text, help: "The log dates it read."),
            .fact("exit_code", type: .integer, help: "Its exit code; 0 is success."),
            .fact("records", type: .integer, help: "Records that it read.", unit: "records"),
            .fact("seconds", type: .real, help: "How long it took.", unit: "seconds"),
            .fact("version", type: .text, help: "Version of the program."),
        ],
        key: ["started_at", "finished_at", "command", "log_dates", "seconds"])

    package static let changes = Table(
        name: "changes",
        columns: [
            .dimension(
                "number", type: .integer,
                help:
                    "Which publishing it was: its unix second, or one more than the last number if that is not less. One that "
                    + "changed no row of the daily tables has none."),
            .time("published_at", type: .dateTime, help: "When it was published, in UTC."),
            .fact(
                "log_dates", type: .text,
                help: "The log dates that are loaded anew since the publishing before, with spaces between."),
            .time("day", type: .date, help: "A day of which a row of a daily table changed, YYYY-MM-DD."),
            .fact(
                "events_before", type: .integer, help: "Events of the day before that; 0 if the day was not there.",
                unit: "events"),
            .fact(
                "events_after", type: .integer, help: "Events of the day since then; 0 if the day is gone.",
                unit: "events"),
            .fact(
                "messages_before", type: .integer, help: "Messages first seen on the day, before that.",
                unit: "messages"),
            .fact(
                "messages_after", type: .integer, help: "Messages first seen on the day, since then.", unit: "messages"),
            .fact(
                "opened_before", type: .integer, help: "Of these messages, those that were opened, before that.",
                unit: "messages"),
            .fact(
                "opened_after", type: .integer, help: "Of these messages, those that were opened, since then.",
                unit: "messages"),
        ],
        key: ["number", "day"])

    package static let loads = Table(
        name: "loads",
        columns: [
            logDate,
            .time("started_at", type: .dateTime, help: "Start of the log date's load in UTC."),
            .time("finished_at", type: .dateTime, help: "End of the log date's load in UTC."),
            .dimension(
                "verdict", type: .text,
                help:
                    "loaded, partial, accepted (it is partial or lacks files or hours, and was taken as it is with --force), held (what was "
                    + "loaded before is kept), or failed (files could not be read)."),
            .fact(
                "detail", type: .text,
                help:
                    "What the command printed about the load, its warnings too, a line each; NULL if it printed nothing.",
                mayBeNull: true),
            .fact("files", type: .integer, help: "Number of files that were read.", unit: "files"),
            .fact("records", type: .integer, help: "Records read: accepted + filtered + rejected.", unit: "records"),
            .fact("accepted", type: .integer, help: "Records that are valid hits.", unit: "records"),
            .fact(
                "filtered", type: .integer, help: "Valid records that are not hits of push messages.", unit: "records"),
            .fact("rejected", type: .integer, help: "Records that are faulty.", unit: "records"),
            .fact(
                "events", type: .integer,
                help: "Different (message, action) pairs; NULL if the load ended before they were counted.",
                unit: "events",
                mayBeNull: true),
            .fact(
                "duplicates", type: .integer,
                help: "accepted - events; NULL if the load ended before they were counted.",
                unit: "records",
                mayBeNull: true),
        ],
        key: ["log_date", "started_at", "finished_at"])

    package static let about = Table(
        name: "about",
        columns: [
            .dimension(
                "key", type: .text,
                help:
                    "pipeline, timezone, window_days, first_day, last_day, first_log_date, last_log_date, schema_version, version, or "
                    + "history_since: the number with which the table changes began"
                    + FunnelColumn.allCases.filter(\.mayBeUnknown).map {
                        "; \($0.name)_known_since: the day since which no log date lacks \($0.name)"
                    }.joined() + "."),
            .fact("value", type: .text, help: "Its value; NULL where it is not known.", mayBeNull: true),
        ],
        key: ["key"])
}
