import Calendar
import Events
import SQLite

/// Reads what push.db says about one delivery.
struct DeliveryReader {
    private let span: Statement
    private let platforms: Statement
    private let funnel: Statement
    private let actions: Statement

    init(_ database: Database) throws {
        let columns = PlatformCounts.columns.joined(separator: ", ")
        func selection(_ sql: String) throws -> Statement { try Statement("SELECT \(sql)", in: database) }
        span = try selection("first_day, last_day FROM deliveries WHERE delivery_id = ?")
        platforms = try selection("\(columns) FROM delivery_platforms WHERE delivery_id = ?")
        funnel = try selection("\(columns) FROM daily_funnel WHERE delivery_id = ? AND day = ?")
        actions = try selection("1 FROM daily_actions WHERE delivery_id = ? AND day = ? LIMIT 1")
    }

    /// The sums that the tables by delivery show.
    func shown(_ delivery: ExactText) throws -> DeliverySums.Sums {
        var sums = DeliverySums.Sums()
        sums.days = try days(of: delivery)
        try forEachRow(platforms, delivery) { sums.funnel.add($0) }
        return sums
    }

    /// The sums of the daily tables over those of `days` on which the delivery had rows. They must be sorted, and none of
    /// them may have changed.
    func sums(of delivery: ExactText, on days: [Int32]) throws -> DeliverySums.Sums {
        var sums = DeliverySums.Sums()
        guard let span = try self.days(of: delivery) else { return sums }
        let start = firstIndex(in: days.indices) { days[$0] < span.lowerBound }
        let days = days[start..<firstIndex(in: start..<days.count) { days[$0] <= span.upperBound }]
        for day in days { try forEachRow(funnel, delivery, day) { sums.funnel.add($0) } }
        func hasRows(_ day: Int32) throws -> Bool {
            var hasRows = false
            try forEachRow(actions, delivery, day) { _ in hasRows = true }
            return hasRows
        }
        if let first = try days.first(where: hasRows), let last = try days.last(where: hasRows) {
            sums.days = first...last
        }
        return sums
    }

    /// The first and the last day that `deliveries` shows.
    private func days(of delivery: ExactText) throws -> ClosedRange<Int32>? {
        var days: ClosedRange<Int32>?
        try forEachRow(span, delivery) { row in
            let (first, last) = (CalendarText.day(of: row.text(0)), CalendarText.day(of: row.text(1)))
            if let first, let last, first <= last { days = first...last }
        }
        return days
    }

    private func forEachRow(
        _ rows: Statement, _ delivery: ExactText, _ day: Int32? = nil, _ body: (Statement) -> Void
    ) throws {
        defer { rows.reset() }
        var binder = Statement.Binder(rows)
        try binder.add(delivery.text)
        if let day { try binder.add(date: day) }
        while try rows.next() { body(rows) }
    }
}
