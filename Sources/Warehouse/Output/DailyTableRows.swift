import Calendar
import Counting
import Events
import SQLite

/// The rows of one daily table for some days, whatever the table.
///
/// Closures rather than a protocol: the compiler makes them for each kind of row, and a table may have a million rows.
struct DailyTableRows: Sendable {
    /// Differences from the rows of a database.
    struct Changes: Sendable {
        /// The deliveries of the rows that differ.
        let deliveries: Set<ExactText>
        /// Writes them. Returns the number of rows written or removed.
        let write: @Sendable (Database) throws -> Int
    }

    let table: Table
    /// The digests of the rows, by day.
    let digests: @Sendable () -> [Int32: UInt64]
    /// The differences from the rows of some days in a database; nil if the table is empty. Days must be sorted.
    let changes: @Sendable (_ days: [Int32], Database?) throws -> Changes

    /// - Parameter rows: sorted by key.
    init<Row: DailyRow>(_ rows: [Row], _ names: EventNames) {
        table = Row.table
        digests = {
            var digests: [Int32: UInt64] = [:]
            var rest = rows[...]
            while let day = rest.first?.day {
                let end = rest.firstIndex { $0.day != day } ?? rest.endIndex
                digests[day] = rest[..<end].reduce(0) { $0 &+ $1.digest(names) }
                rest = rest[end...]
            }
            return digests
        }
        changes = { days, database in
            let wanted = Set(days)
            let changes = try TableChanges(
                of: Row.table, rows.filter { wanted.contains($0.day) }, names, dates: days.map(CalendarText.date),
                in: database)
            return Changes(deliveries: changes.deliveries(names)) { try changes.write(names, to: $0) }
        }
    }
}

extension DailyRows {
    /// All tables.
    func tables(_ names: EventNames) -> [DailyTableRows] {
        [
            DailyTableRows(actions, names), DailyTableRows(funnel, names), DailyTableRows(totals, names),
            DailyTableRows(hours, names), DailyTableRows(lateness, names), DailyTableRows(paths, names),
        ]
    }
}

extension TableChanges where Row: DailyRow {
    /// The deliveries of the rows that differ.
    fileprivate func deliveries(_ names: EventNames) -> Set<ExactText> {
        let numbers = Set(changed.compactMap(\.deliveryNumber))
        var deliveries = Set(numbers.map { ExactText(names.deliveries[Int($0)]) })
        guard let column = Row.table.key.firstIndex(of: "delivery_id") else { return [] }
        deliveries.formUnion(obsolete.compactMap { String($0[column]).map(ExactText.init) })
        return deliveries
    }
}
