import Calendar
import Events
import GRDB

/// Writes the tables by delivery.
///
/// Adding up all days of two years takes many seconds, so a publishing makes only the rows of deliveries that it
/// touches: those with a row in daily_actions on a changed day, before or after, and those of which the files say
/// something else. They are added up over the days from their first to their last. (Every row of daily_funnel has one in
/// daily_actions with its day and delivery: that of the message's first event.)
struct DeliveryTables {
    private let list: DeliveryList
    /// The changed days.
    private let dates: [String]
    /// Nil for all deliveries.
    private var touched: Set<ExactText>?
    /// Deliveries of which more messages arrived than were sent, among those touched.
    private(set) var understated: [UnderstatedDelivery] = []

    /// Call this before the daily tables are written.
    /// - Parameters:
    ///   - days: the days of which they may change.
    ///   - isListNew: whether the tables may show other delivery files.
    ///   - isWhole: whether all rows must be made.
    init(_ list: DeliveryList, days: Set<Int32>, isListNew: Bool, isWhole: Bool, in database: Database) throws {
        self.list = list
        dates = days.sorted().map(CalendarText.date)
        guard !isWhole else { return }
        var touched = try DeliveryTables.deliveries(on: dates, in: database)
        if isListNew { touched.formUnion(try DeliveryDifferences(from: list, in: database).deliveries) }
        self.touched = touched
    }

    /// Whether all rows must be made, since the tables or those that they are made of are made again.
    static func isWhole(_ check: OutputCheck) -> Bool {
        let tables =
            OutputSchema.byDelivery + [OutputSchema.dailyActions, OutputSchema.dailyFunnel, OutputSchema.publication]
        return check.found != nil || tables.contains { check.rewritten.contains($0.name) }
    }

    /// Call this after the daily tables are written. Returns the number of rows that differed.
    mutating func write(to database: Database, _ digests: inout TableDigests) throws -> Int {
        if let before = touched { touched = before.union(try DeliveryTables.deliveries(on: dates, in: database)) }
        if touched?.isEmpty == true { return 0 }
        let sums = try DeliverySums(touched, range(in: database), in: database)
        let rows = DeliveryRows(sums, list, all: touched == nil)
        understated = rows.understated
        let ids = touched?.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        var changes = 0
        for (table, rows) in rows.byTable {
            let before = try ids.map { try DeliveryTables.digest($0, of: table, in: database) }
            let difference = try TableChanges(of: table, rows, EventNames(), dates: ids, in: database)
            changes += try difference.write(EventNames(), to: database)
            let now = rows.reduce(0) { $0 &+ $1.digest() }
            digests[table] = before.map { digests[table] &- $0 &+ now } ?? now
        }
        return changes
    }

    /// The digests of the tables as they should be, by the daily tables of a database.
    static func digests(_ list: DeliveryList, from database: Database) throws -> TableDigests {
        var digests = TableDigests()
        let rows = DeliveryRows(try DeliverySums(nil, nil, in: database), list, all: true)
        for (table, rows) in rows.byTable { digests[table] = rows.reduce(0) { $0 &+ $1.digest() } }
        return digests
    }

    /// The deliveries that have rows in daily_actions on some dates.
    private static func deliveries(on dates: [String], in database: Database) throws -> Set<ExactText> {
        var found: Set<ExactText> = []
        let rows = try RowStatement("SELECT DISTINCT delivery_id FROM daily_actions WHERE day = ?", in: database)
        defer { rows.reset() }
        for date in dates {
            var binder = RowStatement.Binder(rows)
            try binder.add(date)
            while try rows.next() { found.insert(ExactText(rows.text(0))) }
        }
        return found
    }

    /// All dates on which the touched deliveries may have rows; nil for all.
    private func range(in database: Database) throws -> ClosedRange<String>? {
        guard let touched else { return nil }
        var (first, last) = (dates.first ?? "~", dates.last ?? "")
        let rows = try RowStatement("SELECT first_day, last_day FROM deliveries WHERE delivery_id = ?", in: database)
        defer { rows.reset() }
        for id in touched {
            var binder = RowStatement.Binder(rows)
            try binder.add(id.text)
            while try rows.next() {
                guard !rows.value(0).isNull else { continue }
                (first, last) = (min(first, rows.text(0)), max(last, rows.text(1)))
            }
        }
        return first <= last ? first...last : ""...""
    }

    private static func digest(_ ids: [String], of table: Table, in database: Database) throws -> UInt64 {
        let rows = try RowStatement(table.selectionOfDate, in: database)
        defer { rows.reset() }
        var sum: UInt64 = 0
        for id in ids {
            var binder = RowStatement.Binder(rows)
            try binder.add(id)
            while try rows.next() {
                var digest = RowDigest()
                rows.write(columns: table.columns.count, to: &digest)
                sum &+= digest.value
            }
        }
        return sum
    }
}
