import Calendar
import Events
import SQLite

/// Compares a list with what the tables show of the delivery files.
struct ListComparison {
    /// The deliveries of which the tables may show other names or counts, sorted.
    let differing: [ExactText]

    /// - Parameter clock: in the pipeline's time zone.
    init(_ list: DeliveryList, _ clock: inout DayClock, in database: Database) throws {
        var shown = try ListComparison.shown(in: database)
        var differing: [ExactText] = []
        for delivery in list {
            let id = ExactText(delivery.id)
            let digest = ListComparison.digest(delivery, &clock)
            let shown = shown.removeValue(forKey: id) ?? nil
            if digest == nil || digest != shown { differing.append(id) }
        }
        self.differing = differing.merged(with: shown.keys.sorted())
    }

    /// The digest of what the list says; nil if it names a platform without a count, so that this tells too little.
    private static func digest(_ delivery: Delivery, _ clock: inout DayClock) -> UInt64? {
        let sentDay = delivery.sentAt.map { clock.day(of: $0) }
        var sum = digest { digest in
            for text in [delivery.label, delivery.campaign, delivery.variant] { digest.add(text: text) }
            digest.add(time: delivery.sentAt)
            digest.add(date: sentDay)
            for count in [delivery.sent, delivery.delivered] { digest.add(count: count) }
        }
        for counts in delivery.counts {
            guard let platform = counts.platform else { continue }
            if counts.sent == nil, counts.delivered == nil { return nil }
            sum &+= digest { digest in
                digest.add(platform.name)
                for count in [counts.sent, counts.delivered] { digest.add(count: count) }
            }
        }
        return sum
    }

    /// The same for what the tables show of the deliveries that a file names, by delivery.
    private static func shown(in database: Database) throws -> [ExactText: UInt64?] {
        let rows = try Statement(
            """
            SELECT d.delivery_id, label, campaign, variant, d.sent_at, sent_day, r.sent, r.delivered,
              platform, p.sent, p.delivered, p.messages
            FROM (SELECT delivery_id, label, campaign, variant, sent_at FROM deliveries WHERE in_file = 1) d
            CROSS JOIN (SELECT delivery_id, sent_day, sent, delivered FROM delivery_results) r USING (delivery_id)
            LEFT JOIN delivery_platforms p USING (delivery_id)
            """, in: database)
        var shown: [ExactText: UInt64?] = [:]
        while try rows.next() {
            let id = ExactText(rows.text(0))
            var sum = shown[id] ?? digest { rows.write(columns: 1..<8, to: &$0) }
            if rows.value(9) != .null || rows.value(10) != .null {
                sum? &+= digest { rows.write(columns: 8..<11, to: &$0) }
            } else if rows.value(8) != .null, rows.number(11) == 0 {
                // Only a file can have named the platform.
                sum = nil
            }
            shown.updateValue(sum, forKey: id)
        }
        return shown
    }

    private static func digest(_ write: (inout RowDigest) -> Void) -> UInt64 {
        var digest = RowDigest()
        write(&digest)
        return digest.value
    }
}
