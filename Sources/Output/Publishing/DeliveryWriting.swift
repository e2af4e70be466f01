import Calendar
import Partitions
import SQLite

/// Writes the content of the delivery files to push.db, and notes the deliveries that have changed.
struct DeliveryWriting {
    /// The tables for the content of the delivery files, with their columns and their key.
    static let tables: [(name: String, columns: [String], key: String)] = [
        (
            "_listed",
            [
                "delivery_id", "label", "campaign", "variant", "sent_at", "sent_day", "sent", "delivered", "says_sent",
            ], key: "delivery_id"
        ),
        ("_listed_platforms", ["delivery_id", "platform", "sent", "delivered"], key: "delivery_id, platform"),
    ]

    static let versionKey = "deliveries"
    private static let zoneKey = "zone of deliveries"

    let settings: PublicationSettings

    /// Whether the list differs from the one in push.db, or its days were computed by other zone rules.
    func isNew(_ facts: [String: String]) -> Bool {
        facts[DeliveryWriting.zoneKey] != settings.zone.version
            || settings.deliveries.map { $0.version != facts[DeliveryWriting.versionKey] } ?? false
    }

    func write(to database: Database) throws {
        assert(database.isInTransaction)
        let facts = try OwnTables.facts(in: database)
        guard isNew(facts) else { return }
        if let deliveries = settings.deliveries {
            try replace(deliveries.list, in: database)
            try OwnTables.set(DeliveryWriting.versionKey, to: deliveries.version, in: database)
        } else {
            try setDays(in: database)
        }
        try OwnTables.set(DeliveryWriting.zoneKey, to: settings.zone.version, in: database)
    }

    private func replace(_ list: DeliveryList, in database: Database) throws {
        for (name, columns, key) in DeliveryWriting.tables {
            try database.execute(
                "CREATE TABLE temp.new\(name) (\(columns.joined(separator: ", ")), PRIMARY KEY (\(key))) WITHOUT ROWID")
        }
        try insert(list, into: database)
        for (name, columns, key) in DeliveryWriting.tables {
            let isOther = columns.map { "o.\($0) IS NOT n.\($0)" }.joined(separator: " OR ")
            try database.execute(
                """
                INSERT OR IGNORE INTO temp.touched_deliveries
                SELECT delivery_id FROM temp.new\(name) AS n LEFT JOIN main.\(name) AS o USING (\(key)) WHERE \(isOther);
                INSERT OR IGNORE INTO temp.touched_deliveries
                SELECT delivery_id FROM main.\(name) AS o LEFT JOIN temp.new\(name) AS n USING (\(key)) WHERE \(isOther);
                DELETE FROM main.\(name);
                INSERT INTO main.\(name) SELECT * FROM temp.new\(name);
                DROP TABLE temp.new\(name)
                """)
        }
    }

    /// Sets the days on which deliveries were sent, which depend on the time zone.
    private func setDays(in database: Database) throws {
        var clock = DayClock(zone: settings.zone)
        let rows = try database.rows(
            "SELECT delivery_id, unixepoch(sent_at) FROM main._listed WHERE sent_at IS NOT NULL"
        ) { row in (try row.read(0) as String, try row.read(1) as Int64) }
        for (id, time) in rows {
            let day = clock.day(of: time * 1000).description
            let changed = "delivery_id = ?1 AND sent_day IS NOT ?2"
            for sql in [
                "INSERT OR IGNORE INTO temp.touched_deliveries SELECT delivery_id FROM main._listed WHERE \(changed)",
                "UPDATE main._listed SET sent_day = ?2 WHERE \(changed)",
            ] {
                try database.execute(sql, binding: .of(id, day))
            }
        }
    }

    private func insert(_ list: DeliveryList, into database: Database) throws {
        var clock = DayClock(zone: settings.zone)
        let insertions = try DeliveryWriting.tables.map { name, columns, _ in
            try database.prepare(
                "INSERT INTO temp.new\(name) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))")
        }
        for delivery in list {
            try insertions[0].execute(
                .of(
                    delivery.id, delivery.label, delivery.campaign, delivery.variant,
                    delivery.sentAt.map { CalendarText.dateTime(ofMilliseconds: $0) },
                    delivery.sentAt.map { clock.day(of: $0).description }, delivery.sent,
                    delivery.delivered, delivery.counts.contains { $0.sent != nil } ? 1 : 0))
            for counts in delivery.counts {
                guard let platform = counts.platform else { continue }
                try insertions[1].execute(.of(delivery.id, platform.name, counts.sent, counts.delivered))
            }
        }
    }
}
