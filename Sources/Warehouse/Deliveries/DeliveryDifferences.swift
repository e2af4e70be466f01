import Calendar
import Events
import GRDB

/// The deliveries of which the tables show other values than a list has.
struct DeliveryDifferences {
    /// By delivery: the digests of the values in the tables, less those in the list.
    private var digests: [ExactText: UInt64] = [:]
    /// Deliveries with a platform that has no counts in the files. Whether it has a row depends on daily_funnel.
    private var uncertain: Set<ExactText> = []

    var deliveries: Set<ExactText> {
        uncertain.union(digests.lazy.filter { $0.value != 0 }.map(\.key))
    }

    init(from list: DeliveryList, in database: Database) throws {
        try read(["label", "campaign", "variant", "sent_at"], from: "deliveries", where: "in_file = 1", database)
        let isKnown = "sent IS NOT NULL OR delivered IS NOT NULL"
        try read(["sent", "delivered"], from: "delivery_results", where: isKnown, database)
        try read(["platform", "sent", "delivered"], from: "delivery_platforms", where: isKnown, database)
        let named = try RowStatement(
            "SELECT delivery_id FROM delivery_platforms WHERE messages = 0 AND sent IS NULL AND delivered IS NULL",
            in: database)
        defer { named.reset() }
        while try named.next() { uncertain.insert(ExactText(named.text(0))) }
        for delivery in list.sorted { subtract(delivery) }
    }

    /// Adds the digests of the rows of a table.
    private mutating func read(
        _ columns: [String], from table: String, where condition: String, _ database: Database
    ) throws {
        let columns = ["delivery_id"] + columns
        let rows = try RowStatement(
            "SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE \(condition)", in: database)
        defer { rows.reset() }
        while try rows.next() {
            var digest = RowDigest()
            rows.write(columns: columns.count, to: &digest)
            digests[ExactText(rows.text(0)), default: 0] &+= digest.value
        }
    }

    private mutating func subtract(_ delivery: Delivery) {
        let id = ExactText(delivery.id)
        func text(_ text: String?) -> DatabaseValue { text?.databaseValue ?? .null }
        func count(_ count: Int?) -> DatabaseValue { count?.databaseValue ?? .null }
        func subtract(_ values: [DatabaseValue]) { digests[id, default: 0] &-= values.digest() }
        let sentAt = delivery.sentAt.map(CalendarText.dateTime)
        subtract([
            text(delivery.id), text(delivery.label), text(delivery.campaign), text(delivery.variant), text(sentAt),
        ])
        let (sent, delivered) = (delivery.total(\.sent), delivery.total(\.delivered))
        if sent != nil || delivered != nil { subtract([text(delivery.id), count(sent), count(delivered)]) }
        for counts in delivery.counts {
            guard let platform = counts.platform else { continue }
            if counts.sent == nil, counts.delivered == nil {
                uncertain.insert(id)
            } else {
                subtract([text(delivery.id), text(platform.name), count(counts.sent), count(counts.delivered)])
            }
        }
    }
}
