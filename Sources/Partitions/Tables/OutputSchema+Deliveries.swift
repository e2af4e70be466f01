import Counting

// The tables by delivery. They have no days, so that `sent` is not multiplied by them.

extension OutputSchema {
    private static let id = Table.Column.dimension("delivery_id", .text, "Delivery id.")

    private static let names: [Table.Column] = [
        .fact("label", .text, "Its name in the delivery files; NULL if they give none.", mayBeNull: true),
        .dimension("campaign", .text, "The campaign it belongs to; NULL if the files give none.", mayBeNull: true),
        .dimension("variant", .text, "Which variant of a test it is; NULL if the files give none.", mayBeNull: true),
        .time("sent_at", .dateTime, "When it was sent, in UTC; NULL if the files do not say.", mayBeNull: true),
    ]

    private static let funnel = FunnelColumn.allCases.map { column in
        Table.Column.additive(column.name, "messages", "Sum of \(column.name) in daily_funnel over all days.")
    }

    private static let rates: [Table.Column] = [
        .rateOfReportedSent("arrived_of_sent", "arrived"), .rateOfSent("impressed_of_sent", "impressed"),
        .rateOfSent("clicked_of_sent", "clicked"), .rateOfSent("opened_of_sent", "opened"),
    ]

    private static let daysOfActions: [Table.Column] = [
        .time("first_day", .date, "Its first day in daily_actions; NULL if it has none.", mayBeNull: true),
        .time("last_day", .date, "Its last day in daily_actions; NULL if it has none.", mayBeNull: true),
    ]

    package static let deliveries = Table(
        name: "deliveries",
        columns: [id] + names + [
            .dimension("in_file", .integer, "1 if a delivery file names it, else 0.")
        ] + daysOfActions,
        key: ["delivery_id"])

    package static let deliveryResults = Table(
        name: "delivery_results",
        columns: [id] + names + [
            .time(
                "sent_day", .date, "The day of sent_at in the pipeline's time zone; NULL if the files do not say.",
                mayBeNull: true)
        ] + daysOfActions + [
            .knownCount("sent", "Messages sent, by the delivery files; NULL if they do not say."),
            .knownCount("delivered", "Messages that the push service took, by the files; NULL if they do not say."),
        ] + funnel + rates,
        key: ["delivery_id"])

    package static let deliveryPlatforms = Table(
        name: "delivery_platforms",
        columns: [id, .dimension("platform", .text, "android, ios, web or unknown.")] + [
            .knownCount("sent", "Messages sent to the platform; NULL if the delivery files do not split them."),
            .knownCount(
                "delivered", "Messages to the platform that the push service took; NULL if the files do not split them."
            ),
        ] + funnel + rates,
        key: ["delivery_id", "platform"])

    /// The tables that depend on the delivery files.
    package static let byDelivery = [deliveries, deliveryResults, deliveryPlatforms]
}
