import Counting

// What push.db says about the loads, and about itself.

extension OutputSchema {
    private static let logDate = Table.Column.time(
        "log_date", .date, "The day whose files were loaded together, YYYY-MM-DD.")
    private static let source = Table.Column.dimension("source", .text, "Name of the source in the pipeline file.")

    package static let partitions = Table(
        name: "partitions",
        columns: [
            logDate,
            .dimension(
                "status", .text,
                "complete, or partial: a file was damaged, or a source had no files that the pipeline file of now requires."
            ),
            .additive("files", "files", "Number of input files."),
            .additive("records", "records", "Records read: accepted + filtered + rejected."),
            .additive("accepted", "records", "Records that are valid hits: events + duplicates."),
            .additive(
                "filtered", "records", "Valid records that are not hits of push messages; outcomes has the reasons."),
            .additive("rejected", "records", "Records that are faulty; outcomes has the reasons."),
            .fact(
                "events", .integer, "Different (message, action) pairs, before other partitions are compared.",
                unit: "events"),
            .fact(
                "duplicates", .integer, "accepted - events, before other partitions are compared.", unit: "records"),
            .additive(
                "clock_fallback", "records",
                "Accepted records whose device clock was wrong, so that another time counts."
            ),
            .fact(
                "warnings", .text,
                "Codes of the warnings of its load, separated by commas; NULL if it had no warnings, or they are not known. "
                    + "loads has their sentences.",
                mayBeNull: true),
            .dimension(
                "accepted_as_is", .integer,
                "1 where somebody has accepted the log date with --force, although it is partial or lacks files or hours; else 0."
            ),
            .fact("pipeline", .text, "Fingerprint of the meaning of the pipeline file it was loaded with."),
        ],
        key: ["log_date"])

    /// The columns of `partitions` that a log date's partition has. The others are of its history.
    package static let partitionColumns = partitions.columns.filter { column in
        !["warnings", "accepted_as_is"].contains(column.name)
    }

    package static let files = Table(
        name: "files",
        columns: [
            logDate, source,
            .dimension("path", .text, "The file, by the pattern of its source with placeholders and globs filled in."),
            .additive("bytes", "bytes", "Size of the file, as it is stored."),
            .fact("fingerprint", .text, "Identifies the file's bytes."),
            .dimension(
                "status", .text,
                "ok, truncated (ends inside a gzip member or zstd frame) or damaged (bad gzip or zstd data)."),
            .additive("records", "records", "Records in the file: accepted + filtered + rejected."),
            .additive("accepted", "records", "Records that are valid hits."),
            .additive("filtered", "records", "Valid records that are not hits of push messages."),
            .additive("rejected", "records", "Records that are faulty."),
        ],
        key: ["log_date", "source", "path"])

    package static let outcomes = Table(
        name: "outcomes",
        columns: [
            logDate, source,
            .dimension("outcome", .text, "accepted, filtered or rejected."),
            .dimension("reason", .text, "Why it was filtered or rejected; empty for accepted."),
            .additive("records", "records", "Number of records."),
        ],
        key: ["log_date", "source", "outcome", "reason"])

    package static let held = Table(
        name: "held",
        columns: [
            logDate,
            .time("held_at", .dateTime, "When its last load was held back, in UTC."),
            .dimension("reason", .text, "Why: too_many_rejects, loss, partial, foreign_files, …"),
            .fact("detail", .text, "The same as a sentence."),
        ],
        key: ["log_date"])

    package static let runs = Table(
        name: "runs",
        columns: [
            .time("started_at", .dateTime, "Start of the command in UTC."),
            .time("finished_at", .dateTime, "End of the command in UTC."),
            .dimension("command", .text, "The command: run, backfill, …"),
            .fact("log_dates", .text, "The log dates it read."),
            .fact("exit_code", .integer, "Its exit code; 0 is success."),
            .fact("records", .integer, "Records that it read.", unit: "records"),
            .fact("seconds", .real, "How long it took.", unit: "seconds"),
            .fact("version", .text, "Version of the program."),
        ],
        key: ["started_at", "finished_at", "command", "log_dates", "seconds"])

    package static let changes = Table(
        name: "changes",
        columns: [
            .dimension(
                "number", .integer,
                "Which publishing it was: its unix second, or one more than the last number if that is not less. One that "
                    + "changed no row of the daily tables has none."),
            .time("published_at", .dateTime, "When it was published, in UTC."),
            .fact(
                "log_dates", .text,
                "The log dates that are loaded anew since the publishing before, with spaces between."),
            .time("day", .date, "A day of which a row of a daily table changed, YYYY-MM-DD."),
            .fact(
                "events_before", .integer, "Events of the day before that; 0 if the day was not there.", unit: "events"),
            .fact("events_after", .integer, "Events of the day since then; 0 if the day is gone.", unit: "events"),
            .fact("messages_before", .integer, "Messages first seen on the day, before that.", unit: "messages"),
            .fact("messages_after", .integer, "Messages first seen on the day, since then.", unit: "messages"),
            .fact(
                "opened_before", .integer, "Of these messages, those that were opened, before that.", unit: "messages"),
            .fact("opened_after", .integer, "Of these messages, those that were opened, since then.", unit: "messages"),
        ],
        key: ["number", "day"])

    package static let loads = Table(
        name: "loads",
        columns: [
            logDate,
            .time("started_at", .dateTime, "Start of the log date's load in UTC."),
            .time("finished_at", .dateTime, "End of the log date's load in UTC."),
            .dimension(
                "verdict", .text,
                "loaded, partial, accepted (it is partial or lacks files or hours, and was taken as it is with --force), held (what was "
                    + "loaded before is kept), or failed (files could not be read)."),
            .fact(
                "detail", .text,
                "What the command printed about the load, its warnings too, a line each; NULL if it printed nothing.",
                mayBeNull: true),
            .fact("files", .integer, "Number of files that were read.", unit: "files"),
            .fact("records", .integer, "Records read: accepted + filtered + rejected.", unit: "records"),
            .fact("accepted", .integer, "Records that are valid hits.", unit: "records"),
            .fact("filtered", .integer, "Valid records that are not hits of push messages.", unit: "records"),
            .fact("rejected", .integer, "Records that are faulty.", unit: "records"),
            .fact(
                "events", .integer,
                "Different (message, action) pairs; NULL if the load ended before they were counted.", unit: "events",
                mayBeNull: true),
            .fact(
                "duplicates", .integer, "accepted - events; NULL if the load ended before they were counted.",
                unit: "records",
                mayBeNull: true),
        ],
        key: ["log_date", "started_at", "finished_at"])

    package static let about = Table(
        name: "about",
        columns: [
            .dimension(
                "key", .text,
                "pipeline, timezone, window_days, first_day, last_day, first_log_date, last_log_date, schema_version, version, or "
                    + "history_since: the number with which the table changes began"
                    + FunnelColumn.allCases.filter(\.mayBeUnknown).map {
                        "; \($0.name)_known_since: the day since which no log date lacks \($0.name)"
                    }.joined() + "."),
            .fact("value", .text, "Its value; NULL where it is not known.", mayBeNull: true),
        ],
        key: ["key"])
}
