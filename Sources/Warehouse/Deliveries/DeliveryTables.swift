import Calendar
import Events
import SQLite

/// Writes the tables by delivery.
///
/// The sums of a delivery are computed from its rows in the daily tables: those of the days that are written are known, and
/// those of other days are read. That is done only if such a row has changed. If the delivery files alone have changed, the
/// sums that the tables show are right.
struct DeliveryTables {
    /// What a publishing knows about the tables.
    enum Present {
        /// They are empty.
        case empty
        /// They may have any rows.
        case uncertain
        /// They are as the last publishing left them. `otherDays` are the days that were not written, sorted.
        case sound(otherDays: [Int32], isListNew: Bool, hadArrivals: Set<Platform>)
    }

    private static let deliveriesAtATime = 1024

    let list: DeliveryList
    let setting: DeliverySetting
    /// Over the days that are written: all days unless the tables are sound.
    let sums: DeliverySums
    let present: Present

    private var isEmpty: Bool { if case .empty = present { true } else { false } }

    /// Call this after the daily tables are written. Returns the number of rows that differed, and the deliveries with such
    /// rows of which more messages arrived than were sent.
    func write(
        to database: Database, _ digests: inout TableDigests
    ) throws -> (changes: Int, understated: [UnderstatedDelivery]) {
        var setting = setting
        let deliveries = try touched(in: database, &setting)
        let reader = try DeliveryReader(database)
        var (changes, understated) = (0, [UnderstatedDelivery]())
        var index = 0
        for start in stride(from: 0, to: deliveries.count, by: DeliveryTables.deliveriesAtATime) {
            let some = deliveries[start..<min(start + DeliveryTables.deliveriesAtATime, deliveries.count)]
            var rows: [[DeliveryRow]] = OutputSchema.byDelivery.map { _ in [] }
            var suspects: [UnderstatedDelivery] = []
            for delivery in some {
                let named = list.delivery(delivery, from: &index)
                let found = DeliveryRows(delivery, named, try sums(of: delivery, reader), &setting)
                for row in found.rows { rows[row.kind.table].append(row) }
                if let suspect = found.understated { suspects.append(suspect) }
            }
            var written: Set<ExactText> = []
            for (table, rows) in zip(OutputSchema.byDelivery, rows) {
                let differences = try TableChanges(
                    of: table, rows, EventNames(), dates: some.map(\.text), in: isEmpty ? nil : database)
                changes += try differences.write(EventNames(), to: database)
                digests[table] &+= differences.digest(EventNames())
                written.formUnion(differences.changed.map(\.id))
            }
            understated += suspects.filter { written.contains(ExactText($0.id)) }
        }
        return (changes, understated)
    }

    /// The deliveries whose rows may differ, sorted.
    private func touched(in database: Database, _ setting: inout DeliverySetting) throws -> [ExactText] {
        if case .sound(_, let isListNew, let hadArrivals) = present, hadArrivals == setting.arrivals {
            let changed = sums.changed.sorted()
            guard isListNew else { return changed }
            return changed.merged(with: try ListComparison(list, &setting.clock, in: database).differing)
        }
        let all = DeliveryTables.all(list, sums)
        if isEmpty { return all }
        let tables = OutputSchema.byDelivery.map { "SELECT delivery_id FROM \($0.name)" }
        let rows = try Statement(tables.joined(separator: " UNION ") + " ORDER BY 1", in: database)
        var shown: [ExactText] = []
        while try rows.next() { shown.append(ExactText(rows.text(0))) }
        return all.merged(with: shown)
    }

    private func sums(of delivery: ExactText, _ reader: DeliveryReader) throws -> DeliverySums.Sums {
        guard case .sound(let otherDays, _, _) = present else { return sums[delivery] }
        guard sums.changed.contains(delivery) else { return try reader.shown(delivery) }
        var sum = sums[delivery]
        sum += try reader.sums(of: delivery, on: otherDays)
        return sum
    }

    /// The deliveries of the list and the sums, sorted.
    private static func all(_ list: DeliveryList, _ sums: DeliverySums) -> [ExactText] {
        list.map { ExactText($0.id) }.merged(with: sums.deliveries)
    }

    /// Sets the digests of the tables as they should be.
    /// - Parameter sums: over all days.
    static func set(
        _ digests: inout TableDigests, _ list: DeliveryList, _ sums: DeliverySums, _ setting: DeliverySetting
    ) {
        var setting = setting
        var index = 0
        for delivery in all(list, sums) {
            let named = list.delivery(delivery, from: &index)
            for row in DeliveryRows(delivery, named, sums[delivery], &setting).rows {
                digests[OutputSchema.byDelivery[row.kind.table]] &+= row.digest()
            }
        }
    }
}
