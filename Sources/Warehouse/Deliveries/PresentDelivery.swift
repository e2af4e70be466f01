import Calendar
import Events
import SQLite

/// Reads the rows that the tables by delivery have of one delivery.
struct PresentDelivery {
    struct Rows {
        /// The digest of each row.
        var digests: [DeliveryRow.Kind: UInt64] = [:]
        /// The sums that the rows show.
        var sums = DeliverySums.Sums()
    }

    private let deliveries: RowStatement
    private let results: RowStatement
    private let platforms: RowStatement

    init(in database: Database) throws {
        func selection(_ table: Table) throws -> RowStatement { try RowStatement(table.selectionOfDate, in: database) }
        deliveries = try selection(OutputSchema.deliveries)
        results = try selection(OutputSchema.deliveryResults)
        platforms = try selection(OutputSchema.deliveryPlatforms)
    }

    func rows(of delivery: ExactText) throws -> Rows {
        var found = Rows()
        try forEachRow(deliveries, delivery) { row in
            found.digests[.delivery] = PresentDelivery.digest(row, of: OutputSchema.deliveries)
            let (first, last) = (CalendarText.day(of: row.text(6)), CalendarText.day(of: row.text(7)))
            if let first, let last, first <= last { found.sums.days = first...last }
        }
        try forEachRow(results, delivery) { row in
            found.digests[.result] = PresentDelivery.digest(row, of: OutputSchema.deliveryResults)
        }
        try forEachRow(platforms, delivery) { row in
            guard let platform = PlatformCounts.platform(row, column: 1) else { return }
            found.digests[.platform(platform)] = PresentDelivery.digest(row, of: OutputSchema.deliveryPlatforms)
            // Before the counts are the delivery, the platform, `sent` and `delivered`.
            found.sums.funnel.add(row, platform, from: 4)
        }
        return found
    }

    private func forEachRow(_ rows: RowStatement, _ delivery: ExactText, _ body: (RowStatement) -> Void) throws {
        defer { rows.reset() }
        var binder = RowStatement.Binder(rows)
        try binder.add(delivery.text)
        while try rows.next() { body(rows) }
    }

    private static func digest(_ row: RowStatement, of table: Table) -> UInt64 {
        var digest = RowDigest()
        row.write(columns: table.columns.count, to: &digest)
        return digest.value
    }
}
