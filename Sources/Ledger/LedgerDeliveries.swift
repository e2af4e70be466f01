import Calendar
import Partitions
import SQLite

/// Brings what the delivery files say into the ledger.
package struct LedgerDeliveries {
    private let settings: PublicationSettings

    package init(_ settings: PublicationSettings) {
        self.settings = settings
    }

    /// The tables with what the files say, and their columns.
    static let tables: [(name: String, columns: [String])] = [
        ("listed", ["delivery_id", "label", "campaign", "variant", "sent_at", "sent_day", "sent", "delivered"]),
        ("listed_platforms", ["delivery_id", "platform", "sent", "delivered"]),
    ]

    private static let versionKey = "deliveries"
    private static let doubtKey = "doubt of deliveries"
    private static let zoneKey = "zone of deliveries"

    /// The version of the list that was accepted last; nil if there is none.
    package static func version(_ database: Database) throws -> String? { try Ledger.fact(versionKey, database) }

    /// Notes that the list may not be the one that was accepted: the files replace it as soon as they can be read.
    package static func noteDoubt(in database: Database) throws { try Ledger.setFact(doubtKey, "1", database) }

    package static func isDoubtful(_ database: Database) throws -> Bool { try Ledger.fact(doubtKey, database) != nil }

    /// Whether the ledger has all of it already.
    func areSame(_ facts: [String: String]) -> Bool {
        guard facts[LedgerDeliveries.zoneKey] == settings.zone.version else { return false }
        guard let deliveries = settings.deliveries else { return true }
        return facts[LedgerDeliveries.versionKey] == deliveries.version && facts[LedgerDeliveries.doubtKey] == nil
    }

    /// Replaces the rows, and notes the deliveries of which one differs.
    package func write(to database: Database) throws {
        assert(database.isInTransaction)
        let zone = settings.zone.version
        let isSameZone = try Ledger.fact(LedgerDeliveries.zoneKey, database) == zone
        let known = try LedgerDeliveries.version(database)
        let isDoubtful = try LedgerDeliveries.isDoubtful(database)
        guard let deliveries = settings.deliveries,
            isDoubtful || !isSameZone || known == nil || deliveries.version != known
        else {
            if !isSameZone { try setDays(in: database) }
            return try Ledger.setFact(LedgerDeliveries.zoneKey, zone, database)
        }
        for table in LedgerDeliveries.tables {
            try database.execute(
                "CREATE TEMP TABLE IF NOT EXISTS new_\(table.name) AS SELECT * FROM \(table.name) WHERE 0")
        }
        try insert(deliveries.list, into: database)
        try LedgerDeliveries.insertRows(into: "temp.new_by_delivery", from: "temp.new_", database)
        try LedgerTable.byDelivery.replace(.alone, of: "", in: database)
        for (name, columns) in LedgerDeliveries.tables {
            let list = columns.joined(separator: ", ")
            try database.execute(
                """
                INSERT OR IGNORE INTO touched_deliveries
                SELECT delivery_id FROM (SELECT \(list) FROM temp.new_\(name) EXCEPT SELECT \(list) FROM \(name))
                UNION
                SELECT delivery_id FROM (SELECT \(list) FROM \(name) EXCEPT SELECT \(list) FROM temp.new_\(name));
                DELETE FROM \(name);
                INSERT INTO \(name) SELECT \(list) FROM temp.new_\(name);
                DELETE FROM temp.new_\(name)
                """)
        }
        try Ledger.setFact(LedgerDeliveries.versionKey, deliveries.version, database)
        try Ledger.setFact(LedgerDeliveries.doubtKey, nil, database)
        try Ledger.setFact(LedgerDeliveries.zoneKey, zone, database)
    }

    /// Adds a row without counts for each delivery that the files name, and for each of its platforms that they name.
    package static func insertRows(into table: String = "by_delivery", from prefix: String = "", _ database: Database)
        throws
    {
        let noCounts = LedgerTable.byDelivery.values.map { $0.hasSuffix("_day") ? "NULL" : "0" }.joined(separator: ", ")
        try database.execute(
            """
            INSERT OR IGNORE INTO \(table)
            SELECT delivery_id, platform, '', 0, \(noCounts) FROM (
              SELECT delivery_id, '' AS platform FROM \(prefix)listed
              UNION ALL
              SELECT delivery_id, platform FROM \(prefix)listed_platforms
            )
            """)
    }

    /// Sets the days on which deliveries were sent, which depend on the time zone.
    private func setDays(in database: Database) throws {
        var clock = DayClock(zone: settings.zone)
        let rows = try database.rows(
            "SELECT delivery_id, unixepoch(sent_at) FROM listed WHERE sent_at IS NOT NULL"
        ) { row in (try row.read(0) as String, try row.read(1) as Int64) }
        for (id, time) in rows {
            let day = CalendarText.date(ofDay: clock.day(of: time * 1000))
            let changed = "delivery_id = ?1 AND sent_day IS NOT ?2"
            for sql in [
                "INSERT OR IGNORE INTO touched_deliveries SELECT delivery_id FROM listed WHERE \(changed)",
                "UPDATE listed SET sent_day = ?2 WHERE \(changed)",
            ] {
                try database.execute(sql, .of(id, day))
            }
        }
    }

    private func insert(_ list: DeliveryList, into database: Database) throws {
        var clock = DayClock(zone: settings.zone)
        let insertions = LedgerDeliveries.tables.map { name, columns in
            "INSERT INTO temp.new_\(name) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
        }
        for delivery in list {
            try database.execute(
                insertions[0],
                .of(
                    delivery.id, delivery.label, delivery.campaign, delivery.variant,
                    delivery.sentAt.map { CalendarText.dateTime(ofMilliseconds: $0) },
                    delivery.sentAt.map { CalendarText.date(ofDay: clock.day(of: $0)) }, delivery.sent,
                    delivery.delivered))
            for counts in delivery.counts {
                guard let platform = counts.platform else { continue }
                try database.execute(
                    insertions[1], .of(delivery.id, platform.name, counts.sent, counts.delivered))
            }
        }
    }
}
