import Calendar
import Events
import SQLite

/// Brings what the delivery files say into the ledger.
struct LedgerDeliveries {
    let list: DeliveryList
    let zone: ZoneRules
    /// Equal versions have the same list.
    let version: String

    /// The tables with what the files say, and their columns.
    private static let tables: [(name: String, columns: [String])] = [
        ("listed", ["delivery_id", "label", "campaign", "variant", "sent_at", "sent_day", "sent", "delivered"]),
        ("listed_platforms", ["delivery_id", "platform", "sent", "delivered"]),
    ]

    private static let noCounts = LedgerTable.byDelivery.values.map { $0.hasSuffix("_day") ? "NULL" : "0" }

    /// Replaces the rows, and notes the deliveries of which one differs.
    func write(to database: Database) throws {
        if try Ledger.fact("deliveries", database) == version { return }
        for table in LedgerDeliveries.tables {
            try database.execute(
                sql: "CREATE TEMP TABLE IF NOT EXISTS new_\(table.name) AS SELECT * FROM \(table.name) WHERE 0")
        }
        try insert(into: database)
        try database.execute(
            sql: """
                INSERT INTO temp.new_by_delivery
                SELECT delivery_id, platform, '', 0, \(LedgerDeliveries.noCounts.joined(separator: ", "))
                FROM (
                  SELECT delivery_id, '' AS platform FROM temp.new_listed
                  UNION ALL
                  SELECT delivery_id, platform FROM temp.new_listed_platforms
                )
                """)
        try LedgerTable.byDelivery.replace(.alone, of: "", in: database)
        for (name, columns) in LedgerDeliveries.tables {
            let list = columns.joined(separator: ", ")
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO touched_deliveries
                    SELECT delivery_id FROM (SELECT \(list) FROM temp.new_\(name) EXCEPT SELECT \(list) FROM \(name))
                    UNION
                    SELECT delivery_id FROM (SELECT \(list) FROM \(name) EXCEPT SELECT \(list) FROM temp.new_\(name));
                    DELETE FROM \(name);
                    INSERT INTO \(name) SELECT \(list) FROM temp.new_\(name);
                    DELETE FROM temp.new_\(name)
                    """)
        }
        try Ledger.setFact("deliveries", version, database)
    }

    private func insert(into database: Database) throws {
        var clock = DayClock(zone: zone)
        let statements = try LedgerDeliveries.tables.map { name, columns in
            try Statement(
                "INSERT INTO temp.new_\(name) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))",
                in: database)
        }
        var (listed, platforms) = (Statement.Binder(statements[0]), Statement.Binder(statements[1]))
        for delivery in list {
            try listed.add(delivery.id)
            try listed.add(text: delivery.label)
            try listed.add(text: delivery.campaign)
            try listed.add(text: delivery.variant)
            try listed.add(time: delivery.sentAt)
            try listed.add(date: delivery.sentAt.map { clock.day(of: $0) })
            try listed.add(count: delivery.sent)
            try listed.add(count: delivery.delivered)
            try listed.execute()
            for counts in delivery.counts {
                guard let platform = counts.platform else { continue }
                try platforms.add(delivery.id)
                try platforms.add(platform.name)
                try platforms.add(count: counts.sent)
                try platforms.add(count: counts.delivered)
                try platforms.execute()
            }
        }
    }
}
