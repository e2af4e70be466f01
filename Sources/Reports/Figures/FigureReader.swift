import Calendar
import Counting
import GRDB
import Warehouse

/// Reads the figures of a report from push.db, in one transaction.
///
/// The tables of figures have keys that begin with the day, so that only the rows of a period are read.
struct FigureReader {
    let database: Database

    /// Whether push.db has the tables of this version.
    func isCurrent() throws -> Bool {
        try Int.fetchOne(database, sql: "PRAGMA user_version") == OutputSchema.version
    }

    /// All days and log dates. Two years have 730 of each.
    func table() throws -> DayTable {
        var table = DayTable()
        for row in try Row.fetchAll(database, sql: "SELECT key, value FROM about") {
            guard let value: String = row["value"] else { continue }
            switch row["key"] as String {
            case "timezone": table.timeZone = value
            case "window_days": table.windowDays = Int(value) ?? table.windowDays
            default: break
            }
        }
        try each("SELECT log_date, status FROM partitions") { date, row in
            table.logDates[date, default: LogDateFacts()].status = row[1]
        }
        // The last load stands.
        try each("SELECT log_date, verdict, detail FROM loads ORDER BY log_date, started_at, finished_at") {
            date, row in
            table.logDates[date, default: LogDateFacts()].verdict = row[1]
            table.logDates[date, default: LogDateFacts()].detail = row[2]
        }
        try each("SELECT day, messages, later_log_dates, final FROM days") { day, row in
            table.days[day] = DayFacts(messages: row[1], laterLogDates: row[2], isFinal: row[3] == 1)
        }
        table.sortLogDates()
        return table
    }

    func figures(_ period: ReportPeriod) throws -> PeriodFigures {
        var figures = PeriodFigures(period)
        let funnel = FunnelColumn.allCases
        let columns = funnel.map(\.name).joined(separator: ", ")
        try each("SELECT day, platform, events, duplicates, \(columns) FROM daily_totals \(during)", period) {
            day, row in
            var totals = Totals()
            totals.events = row[2]
            totals.duplicates = row[3]
            for column in funnel { totals[column] = row[4 + column.rawValue] }
            figures.totals[day, default: [:]][row[1]] = totals
        }
        try each(
            "SELECT day, hour, sum(events) FROM hourly_actions \(during) AND action = 'open' GROUP BY day, hour", period
        ) { day, row in
            let hour: Int = row[1]
            if (0..<24).contains(hour) { figures.opens[day.weekday - 1][hour] += row[2] as Int }
        }
        for row in try Row.fetchAll(
            database,
            sql: "SELECT days_late, sum(events), sum(duplicates) FROM daily_lateness \(during) GROUP BY days_late",
            arguments: bounds(period))
        {
            figures.lateness[row[0]] = PeriodFigures.Late(events: row[1], duplicates: row[2])
        }
        for row in try Row.fetchAll(
            database,
            sql: """
                SELECT outcome, reason, sum(records) FROM outcomes WHERE log_date BETWEEN ? AND ?
                GROUP BY outcome, reason
                """, arguments: bounds(period))
        {
            let records: Int = row[2]
            figures.records += records
            switch row[0] as String {
            case "rejected": figures.rejects[row[1]] = records
            case "filtered": figures.filtered += records
            default: break
            }
        }
        return figures
    }

    /// The deliveries with messages in the period, in any order.
    func deliveries(_ period: ReportPeriod, _ compared: ReportPeriod?) throws -> [DeliveryResult] {
        let before = try compared.map(counts) ?? [:]
        var results: [DeliveryResult] = []
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT c.*, d.label, d.in_file, d.first_day, r.sent FROM (\(countsByDelivery)) c
                CROSS JOIN deliveries d USING (delivery_id) CROSS JOIN delivery_results r USING (delivery_id)
                """, arguments: bounds(period))
        while let row = try rows.next() {
            let id: String = row[0]
            let firstDay = (row[7] as String?).flatMap { LogDate($0) }
            let isWhole = firstDay.map(period.contains) ?? false
            results.append(
                DeliveryResult(
                    id: id, label: row[5], isInFile: row[6] == 1, sent: isWhole ? row[8] : nil,
                    now: DeliveryResult.Counts(row), before: before[id]))
        }
        return results
    }

    private func counts(_ period: ReportPeriod) throws -> [String: DeliveryResult.Counts] {
        var counts: [String: DeliveryResult.Counts] = [:]
        let rows = try Row.fetchCursor(database, sql: countsByDelivery, arguments: bounds(period))
        while let row = try rows.next() { counts[row[0]] = DeliveryResult.Counts(row) }
        return counts
    }

    private var countsByDelivery: String {
        """
        SELECT delivery_id, sum(messages), sum(impressed), sum(clicked), sum(opened) FROM daily_funnel \(during)
        GROUP BY delivery_id HAVING sum(messages) > 0
        """
    }

    private var during: String { "WHERE day BETWEEN ? AND ?" }

    private func bounds(_ period: ReportPeriod) -> StatementArguments {
        [period.first.description, period.last.description]
    }

    /// Rows whose first value is a date.
    private func each(_ sql: String, _ period: ReportPeriod? = nil, _ body: (LogDate, Row) throws -> Void) throws {
        let rows = try Row.fetchCursor(database, sql: sql, arguments: period.map(bounds) ?? [])
        while let row = try rows.next() {
            if let date = LogDate(row[0] as String) { try body(date, row) }
        }
    }
}

extension DeliveryResult.Counts {
    /// Takes the four sums behind the delivery.
    fileprivate init(_ row: Row) {
        self.init(messages: row[1], impressed: row[2], clicked: row[3], opened: row[4])
    }
}
