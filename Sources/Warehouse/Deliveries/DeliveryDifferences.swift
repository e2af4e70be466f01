import Calendar
import Events
import SQLite

/// The deliveries of which the tables show other names or counts than a list has.
struct DeliveryDifferences {
    /// Sorted.
    private(set) var deliveries: [ExactText] = []

    init(from list: DeliveryList, in database: Database) throws {
        var shown = try ShownDeliveries(in: database)
        defer { shown.end() }
        var present = try shown.next()
        for delivery in list {
            let id = ExactText(delivery.id)
            while let other = present, other.id < id {
                deliveries.append(other.id)
                present = try shown.next()
            }
            guard present?.id == id else {
                deliveries.append(id)
                continue
            }
            if present?.shows(delivery) != true { deliveries.append(id) }
            present = try shown.next()
        }
        while let other = present {
            deliveries.append(other.id)
            present = try shown.next()
        }
    }
}

/// What the tables show of the delivery files about one delivery.
private struct ShownDelivery {
    let id: ExactText
    /// The digest of the names and the counts.
    var digest: UInt64
    /// The platforms that have a row.
    var platforms: Set<Platform> = []
    /// The platforms that have a row without messages and counts, so that only a file can have named them.
    var namedPlatforms: Set<Platform> = []

    func shows(_ delivery: Delivery) -> Bool {
        var digest = ShownDelivery.digest { digest in
            digest.add(text: delivery.label)
            digest.add(text: delivery.campaign)
            digest.add(text: delivery.variant)
            digest.add(time: delivery.sentAt)
            digest.add(count: delivery.sent)
            digest.add(count: delivery.delivered)
        }
        var named: Set<Platform> = []
        for counts in delivery.counts {
            guard let platform = counts.platform else { continue }
            if counts.sent == nil, counts.delivered == nil {
                named.insert(platform)
            } else {
                digest &+= ShownDelivery.digest { digest in
                    digest.add(platform.name)
                    digest.add(count: counts.sent)
                    digest.add(count: counts.delivered)
                }
            }
        }
        return digest == self.digest && platforms.isSuperset(of: named) && named.isSuperset(of: namedPlatforms)
    }

    static func digest(_ write: (inout RowDigest) -> Void) -> UInt64 {
        var digest = RowDigest()
        write(&digest)
        return digest.value
    }
}

/// Reads what the tables show of the delivery files, delivery by delivery, in the order of their ids.
private struct ShownDeliveries {
    private let rows: RowStatement
    private var hasRow: Bool

    init(in database: Database) throws {
        rows = try RowStatement(
            """
            SELECT d.delivery_id, label, campaign, variant, d.sent_at, r.sent, r.delivered,
              platform, p.sent, p.delivered, p.messages
            FROM (SELECT delivery_id, label, campaign, variant, sent_at FROM deliveries WHERE in_file = 1) d
            CROSS JOIN (SELECT delivery_id, sent, delivered FROM delivery_results) r USING (delivery_id)
            LEFT JOIN delivery_platforms p USING (delivery_id)
            ORDER BY d.delivery_id
            """, in: database)
        hasRow = try rows.next()
    }

    /// Nil after the last.
    mutating func next() throws -> ShownDelivery? {
        guard hasRow else { return nil }
        var delivery = ShownDelivery(id: ExactText(rows.text(0)), digest: digest(1..<7))
        while hasRow, rows.compare(delivery.id.text.utf8.span, column: 0) == 0 {
            addPlatform(to: &delivery)
            hasRow = try rows.next()
        }
        return delivery
    }

    private func addPlatform(to delivery: inout ShownDelivery) {
        guard let platform = PlatformCounts.platform(rows, column: 7) else { return }
        delivery.platforms.insert(platform)
        if rows.value(8) != .null || rows.value(9) != .null {
            delivery.digest &+= digest(7..<10)
        } else if rows.number(10) == 0 {
            delivery.namedPlatforms.insert(platform)
        }
    }

    private func digest(_ columns: Range<Int32>) -> UInt64 {
        ShownDelivery.digest { rows.write(columns: columns, to: &$0) }
    }

    func end() { rows.reset() }
}
