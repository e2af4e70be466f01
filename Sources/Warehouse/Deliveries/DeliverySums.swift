import Calendar
import Events
import SQLite

/// What the daily tables say about each delivery, over some days or all.
struct DeliverySums {
    private var numbers: [ExactText: Int] = [:]
    private var sums: [Sums] = []

    struct Sums {
        /// Days since 1970-01-01 of the first and the last row in daily_actions; nil without rows.
        var days: ClosedRange<Int32>?
        /// The sums of daily_funnel.
        var funnel = PlatformCounts()
    }

    /// Sorted.
    var deliveries: [ExactText] { numbers.keys.sorted() }

    subscript(delivery: ExactText) -> Sums? { numbers[delivery].map { sums[$0] } }

    /// - Parameter dates: the days; nil for all.
    init(on dates: [String]?, in database: Database) throws {
        try read("daily_actions", columns: [], dates, in: database) { sums, day, _ in
            sums.days = min(sums.days?.lowerBound ?? day, day)...max(sums.days?.upperBound ?? day, day)
        }
        try read("daily_funnel", columns: PlatformCounts.columns, dates, in: database) { sums, _, row in
            sums.funnel.add(row, from: 2)
        }
    }

    /// Calls `add` for each row of a daily table. The row has the date, the delivery and then `columns`.
    private mutating func read(
        _ table: String, columns: [String], _ dates: [String]?, in database: Database,
        _ add: (inout Sums, _ day: Int32, RowStatement) -> Void
    ) throws {
        let names = (["day", "delivery_id"] + columns).joined(separator: ", ")
        let condition = dates == nil ? "" : "WHERE day = ? "
        let rows = try RowStatement(
            "SELECT \(names) FROM \(table) \(condition)ORDER BY day, delivery_id", in: database)
        defer { rows.reset() }
        var (date, day) = ("", Int32(0))
        var current: (delivery: ExactText, number: Int)?
        func next() throws -> Bool {
            guard try rows.next() else { return false }
            if rows.compare(date.utf8.span, column: 0) != 0 {
                date = rows.text(0)
                day = CalendarText.day(of: date) ?? 0
            }
            // Rows of a delivery are neighbours.
            if current.map({ rows.compare($0.delivery.text.utf8.span, column: 1) != 0 }) ?? true {
                let delivery = ExactText(rows.text(1))
                current = (delivery, number(of: delivery))
            }
            if let current { add(&sums[current.number], day, rows) }
            return true
        }
        guard let dates else {
            while try next() {}
            return
        }
        for date in dates {
            var binder = RowStatement.Binder(rows)
            try binder.add(date)
            while try next() {}
        }
    }

    private mutating func number(of delivery: ExactText) -> Int {
        if let number = numbers[delivery] { return number }
        numbers[delivery] = sums.count
        sums.append(Sums())
        return sums.count - 1
    }
}
