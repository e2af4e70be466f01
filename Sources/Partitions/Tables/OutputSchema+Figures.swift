import Counting

extension OutputSchema {
    /// The columns `day`, `day_start` and `day_epoch`.
    private static func day(_ meaning: String) -> [Table.Column] {
        [
            .time("day", type: .date, help: "\(meaning), YYYY-MM-DD."),
            .time(
                "day_start", type: .dateTime, help: "The same with 00:00:00, for tools that compare timestamps as text."
            ),
            .time("day_epoch", type: .integer, help: "Unix time of 00:00 UTC of the date in day.", unit: "seconds"),
        ]
    }

    private static let eventDay = day("Calendar day of the event's own time in the pipeline's time zone")
    private static let messageDay = day("Day of the message's first event in the pipeline's time zone")
    private static let anyDay = day("Calendar day in the pipeline's time zone")

    private static let logDateStatus = Table.Column.dimension(
        "log_date_status", type: .text,
        help:
            "complete or partial, as the log date of the day is loaded; NULL if it is not. Such a day has only what other log dates bring.",
        mayBeNull: true)
    private static let source = Table.Column.dimension(
        "source", type: .text, help: "Name of the source in the pipeline file that the event came from.")
    private static let platform = Table.Column.dimension("platform", type: .text, help: "android, ios, web or unknown.")
    private static let action = Table.Column.dimension(
        "action", type: .text,
        help: "What happened: sent, failed, arrival, impression, click, open or another action's name.")

    private static let counts: [Table.Column] = [
        .additive("events", unit: "events", help: "Events that count: each (message, action) counts once."),
        .additive(
            "duplicates", unit: "records",
            help: "Records that are not an event that counts, in the row of their partition's event."),
    ]

    private static let funnel = FunnelColumn.allCases.map { column in
        Table.Column.additive(column.name, unit: "messages", help: column.help, mayBeNull: column.mayBeUnknown)
    }

    private static let logDate = Table.Column.time(
        "log_date", type: .date,
        help: "The log date whose files brought it, YYYY-MM-DD. A day has rows of several; add them up.")

    package static let dailyActions = Table(
        name: "daily_actions",
        columns: eventDay + [
            logDate, source, platform, .dimension("delivery_id", type: .text, help: "Delivery id of the event."),
            action,
        ] + counts,
        key: ["day", "delivery_id", "platform", "source", "action", "log_date"])

    package static let dailyFunnel = Table(
        name: "daily_funnel",
        columns: messageDay + [
            logDate,
            .dimension(
                "platform", type: .text, help: "Platform of the message's first event: android, ios, web or unknown."),
            .dimension("delivery_id", type: .text, help: "Delivery id of the message's first event."),
        ] + funnel,
        key: ["day", "delivery_id", "platform", "log_date"])

    package static let dailyTotals = Table(
        name: "daily_totals",
        columns: day("Day of the events, and of the first events of the messages, in the pipeline's time zone")
            + [platform] + counts + funnel + [
                .rateOfSeen("clicked_of_messages", part: "clicked"), .rateOfSeen("opened_of_messages", part: "opened"),
                .rateOfSeen("dismissed_of_messages", part: "dismissed"),
                .rate("opened_of_impressed", part: "opened_impressed", of: "impressed"),
            ],
        key: ["day", "platform"])

    package static let hourlyActions = Table(
        name: "hourly_actions",
        columns: eventDay + [
            logDate, .dimension("hour", type: .integer, help: "Hour of the day in the pipeline's time zone, 0 to 23."),
            .time(
                "hour_epoch", type: .integer,
                help: "Unix time at which the hour began. It tells apart the two hours of a clock that is set back.",
                unit: "seconds"),
            .time(
                "hour_start", type: .dateTime, help: "Day and hour in the pipeline's time zone, YYYY-MM-DD HH:00:00."),
            source, platform, action,
        ] + counts,
        key: ["day", "hour", "hour_epoch", "source", "platform", "action", "log_date"])

    package static let dailyPaths = Table(
        name: "daily_paths",
        columns: messageDay + [
            logDate, platform,
            .dimension("has_arrival", type: .integer, help: "1 if the messages have an arrival, else 0."),
            .dimension("has_impression", type: .integer, help: "1 if the messages have an impression, else 0."),
            .dimension("has_click", type: .integer, help: "1 if the messages have a click, else 0."),
            .dimension("has_open", type: .integer, help: "1 if the messages have an open, else 0."),
            .additive("messages", unit: "messages", help: "Messages first seen on the day that have exactly these."),
        ],
        key: ["day", "platform", "has_arrival", "has_impression", "has_click", "has_open", "log_date"])

    package static let days = Table(
        name: "days",
        columns: anyDay + [
            logDateStatus, .additive("events", unit: "events", help: "Sum of events in daily_actions."),
            .additive("messages", unit: "messages", help: "Sum of messages in daily_funnel."),
            .fact(
                "later_log_dates", type: .integer,
                help:
                    "How many log dates after the day, at most window_days later, are loaded. The more, the less is missing.",
                unit: "log dates"),
            .fact(
                "final", type: .integer,
                help:
                    "1 once a log date more than window_days after the day is loaded, else 0. After that, only hits that reach the collector even later can change its figures."
            ),
        ],
        key: ["day"])

    package static let calendar = Table(
        name: "calendar",
        columns: day("A calendar day between the first and the last log date, or one of days") + [
            logDateStatus, .dimension("year", type: .integer, help: "Year of the day."),
            .dimension("month", type: .text, help: "Year and month of the day, YYYY-MM."),
            .dimension("iso_week", type: .text, help: "Week by ISO 8601, YYYY-Www."),
            .time("week_start", type: .date, help: "The Monday of the week, YYYY-MM-DD."),
            .dimension("weekday", type: .integer, help: "1 for a Monday to 7 for a Sunday."),
            .dimension("is_weekend", type: .integer, help: "1 for a Saturday or Sunday, else 0."),
        ],
        key: ["day"])
}
