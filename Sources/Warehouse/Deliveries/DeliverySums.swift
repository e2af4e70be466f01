import Calendar
import Counting
import Events
import GRDB

/// What the daily tables say about some deliveries, over all days.
struct DeliverySums {
    struct Sums {
        /// Days since 1970-01-01 of the first and the last row in daily_actions; nil without rows.
        var days: ClosedRange<Int32>?
        /// By platform: the sums of daily_funnel, in the order of `FunnelColumn`. Nil if there are no rows.
        var funnel: [[Int]?] = Array(repeating: nil, count: Platform.allCases.count)
    }

    /// By delivery.
    private(set) var sums: [ExactText: Sums] = [:]

    /// - Parameters:
    ///   - wanted: the deliveries; nil for all.
    ///   - dates: all dates on which they have rows; nil for all.
    init(_ wanted: Set<ExactText>?, _ dates: ClosedRange<String>?, in database: Database) throws {
        if let wanted { sums = Dictionary(uniqueKeysWithValues: wanted.map { ($0, Sums()) }) }
        let (addsOthers, range) = (wanted == nil, dates ?? ""..."~")
        try read("daily_actions", columns: [], range, addsOthers, in: database) { sums, day, _ in
            sums.days = min(sums.days?.lowerBound ?? day, day)...max(sums.days?.upperBound ?? day, day)
        }
        let columns = ["platform"] + FunnelColumn.allCases.map(\.name)
        let platforms = Platform.allCases.map { (text: $0.name, index: Int($0.rawValue)) }
        try read("daily_funnel", columns: columns, range, addsOthers, in: database) { sums, _, row in
            guard let platform = platforms.first(where: { row.compare($0.text.utf8.span, column: 2) == 0 }) else {
                return
            }
            var counts = sums.funnel[platform.index] ?? Array(repeating: 0, count: FunnelColumn.allCases.count)
            sums.funnel[platform.index] = nil
            for index in counts.indices { counts[index] += Int(row.number(Int32(index) + 3)) }
            sums.funnel[platform.index] = counts
        }
    }

    /// Calls `add` for each row of a daily table that belongs to a wanted delivery. The row has the date, the delivery
    /// and then `columns`.
    private mutating func read(
        _ table: String, columns: [String], _ dates: ClosedRange<String>, _ addsOthers: Bool, in database: Database,
        _ add: (inout Sums, _ day: Int32, RowStatement) -> Void
    ) throws {
        let names = (["day", "delivery_id"] + columns).joined(separator: ", ")
        let rows = try RowStatement(
            "SELECT \(names) FROM \(table) WHERE day BETWEEN ? AND ? ORDER BY day, delivery_id", in: database)
        defer { rows.reset() }
        var binder = RowStatement.Binder(rows)
        try binder.add(dates.lowerBound)
        try binder.add(dates.upperBound)
        var (date, day) = ("", Int32(0))
        var delivery: ExactText?
        while try rows.next() {
            if rows.compare(date.utf8.span, column: 0) != 0 {
                date = rows.text(0)
                day = CalendarText.day(of: date) ?? 0
            }
            // Rows of a delivery are neighbours.
            if delivery.map({ rows.compare($0.text.utf8.span, column: 1) != 0 }) ?? true {
                delivery = ExactText(rows.text(1))
            }
            guard let delivery else { continue }
            if addsOthers {
                add(&sums[delivery, default: Sums()], day, rows)
            } else if let index = sums.index(forKey: delivery) {
                add(&sums.values[index], day, rows)
            }
        }
    }
}
