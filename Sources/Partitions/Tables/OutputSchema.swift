import Counting
import SQLite

package enum OutputSchema {
    package static let version = 7

    /// The tables of figures that are written day by day.
    package static let daily = [dailyActions, dailyFunnel, dailyTotals, hourlyActions, dailyPaths]

    /// The tables that have rows for each log date.
    package static let byLogDate = [dailyActions, dailyFunnel, hourlyActions, dailyPaths]

    /// The tables that cannot be computed again.
    package static let history = [runs, changes, loads]

    package static let tables =
        daily + [days, calendar] + byDelivery + [
            partitions, files, outcomes, held, runs, changes, loads, about, columnsHelp,
        ]

    package static let columnsHelp = Table(
        name: "columns_help",
        columns: [
            .dimension("table_name", type: .text, help: "Name of a table of this database."),
            .dimension("column_name", type: .text, help: "Name of a column of the table."),
            .fact("description", type: .text, help: "What the column holds."),
            .dimension(
                "kind", type: .text,
                help:
                    "dimension, time, additive (may be summed over all rows), rate (may not, see formula), or fact of the row."
            ),
            .fact("unit", type: .text, help: "What is counted or measured; NULL for texts and flags.", mayBeNull: true),
            .fact(
                "formula", type: .text, help: "SQL that gives a rate over any rows; NULL for other kinds.",
                mayBeNull: true),
        ],
        key: ["table_name", "column_name"])

    /// The rows of `columns_help`, in the order of its key.
    package static var helpRows: [[DatabaseValue]] {
        tables.sorted { $0.name < $1.name }.flatMap { table in
            table.columns.sorted { $0.name < $1.name }.map { column in
                .of(table.name, column.name, column.help, column.kind.rawValue, column.unit, column.formula)
            }
        }
    }
}

// The tables by delivery. They have no days, since `sent` must not be repeated for each day.

extension OutputSchema {
    private static let id = Table.Column.dimension("delivery_id", type: .text, help: "Delivery id.")

    private static let names: [Table.Column] = [
        .fact(
            "label", type: .text, help: "Its name, by the delivery files, else by events; NULL if neither has one.",
            mayBeNull: true
        ),
        .dimension(
            "campaign", type: .text,
            help: "The campaign it belongs to, by the delivery files, else by events; NULL if neither has one.",
            mayBeNull: true),
        .dimension(
            "variant", type: .text,
            help: "Which variant of a test it is, by the delivery files, else by events; NULL if neither has one.",
            mayBeNull: true),
        .time(
            "sent_at", type: .dateTime, help: "When it was sent, in UTC; NULL if the files do not say.", mayBeNull: true
        ),
    ]

    private static let funnel = FunnelColumn.allCases.filter { $0 != .sent }.map { column in
        Table.Column.additive(
            column.name, unit: "messages", help: "Sum of \(column.name) in daily_funnel over all days.",
            mayBeNull: column.mayBeUnknown)
    }

    private static let rates: [Table.Column] = [
        .rateOfReportedSent("failed_of_sent", part: "failed", event: "failed"),
        .rateOfReportedSent("arrived_of_sent", part: "arrived", event: "arrival"),
        .rateOfSent("impressed_of_sent", part: "impressed"),
        .rateOfSent("clicked_of_sent", part: "clicked"), .rateOfSent("opened_of_sent", part: "opened"),
    ]

    private static let sentFrom = Table.Column.dimension(
        "sent_from", type: .text, help: "Where sent is from: file or events; NULL as sent is.", mayBeNull: true)

    private static let daysOfActions: [Table.Column] = [
        .time("first_day", type: .date, help: "Its first day in daily_actions; NULL if it has none.", mayBeNull: true),
        .time("last_day", type: .date, help: "Its last day in daily_actions; NULL if it has none.", mayBeNull: true),
    ]

    package static let deliveries = Table(
        name: "deliveries",
        columns: [id] + names + [
            .dimension("in_file", type: .integer, help: "1 if a delivery file names it, else 0.")
        ] + daysOfActions,
        key: ["delivery_id"])

    package static let deliveryResults = Table(
        name: "delivery_results",
        columns: [id] + names + [
            .time(
                "sent_day", type: .date,
                help: "The day of sent_at in the pipeline's time zone; NULL if the files do not say.",
                mayBeNull: true)
        ] + daysOfActions + [
            .knownCount("sent", help: "Messages sent, by the delivery files, else by events; NULL if neither says."),
            sentFrom,
            .knownCount(
                "delivered", help: "Messages that the push service took, by the files; NULL if they do not say."),
        ] + funnel + rates,
        key: ["delivery_id"])

    package static let deliveryPlatforms = Table(
        name: "delivery_platforms",
        columns: [id, .dimension("platform", type: .text, help: "android, ios, web or unknown.")] + [
            .knownCount(
                "sent",
                help:
                    "Messages sent to the platform, by the delivery files, else by events; NULL if the files do not split them."
            ),
            sentFrom,
            .knownCount(
                "delivered",
                help: "Messages to the platform that the push service took; NULL if the files do not split them."
            ),
        ] + funnel + rates,
        key: ["delivery_id", "platform"])

    /// The tables that depend on the delivery files.
    package static let byDelivery = [deliveries, deliveryResults, deliveryPlatforms]
}

extension DatabaseFile {
    /// "puDB"
    package static func output(_ path: String) -> DatabaseFile {
        DatabaseFile(
            path: path, applicationID: 0x7075_4442, schema: OutputSchema.version, oldestSchema: OutputSchema.version,
            hallmark: "_facts")
    }
}
