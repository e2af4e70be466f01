import Calendar
import Counting
import SQLite
import Warehouse

/// Reads the figures of a report from push.db, in one transaction.
///
/// The tables of figures have keys that begin with the day, so that only the rows of a period are read.
struct FigureReader {
    private let reader: CheckedReader

    init(_ database: Database, path: String) {
        reader = CheckedReader(database, path: path)
    }

    /// Whether push.db has the tables of this version.
    func isCurrent() throws -> Bool {
        try Int.fetchOne(reader.database, sql: "PRAGMA user_version") == OutputSchema.version
    }

    /// All days and log dates. Two years have 730 of each.
    func table() throws -> DayTable {
        var table = DayTable()
        try reader.forEach("SELECT key, value FROM about WHERE key IN ('timezone', 'window_days')") { row in
            guard let value = try row.optionalText(1) else { return }
            if try row.text(0) == "timezone" {
                table.timeZone = value
            } else {
                table.windowDays = Int(value) ?? table.windowDays
            }
        }
        let isFormer = "pipeline <> (SELECT value FROM about WHERE key = 'pipeline')"
        try reader.forEach("SELECT log_date, status, coalesce(\(isFormer), 0) FROM partitions") { row in
            table.logDates[try row.date(0), default: LogDateFacts()].status = try row.text(1)
            table.logDates[try row.date(0)]?.isOfFormerPipeline = try row.number(2) == 1
        }
        // The last load stands.
        try reader.forEach("SELECT log_date, verdict, detail FROM loads ORDER BY log_date, started_at, finished_at") {
            row in
            let date = try row.date(0)
            table.logDates[date, default: LogDateFacts()].verdict = try row.text(1)
            table.logDates[date, default: LogDateFacts()].detail = try row.optionalText(2)
        }
        try reader.forEach("SELECT day, messages, later_log_dates, final FROM days") { row in
            table.days[try row.date(0)] = DayFacts(
                messages: try row.count(1), laterLogDates: try row.count(2), isFinal: try row.number(3) == 1)
        }
        table.sortLogDates()
        return table
    }

    func figures(_ period: ReportPeriod) throws -> PeriodFigures {
        for table in ["daily_totals", "hourly_actions", "daily_lateness", "daily_funnel"] {
            try reader.checkEnds(of: "day", in: table)
        }
        try reader.checkEnds(of: "log_date", in: "outcomes")
        var figures = PeriodFigures(period)
        let funnel = FunnelColumn.allCases
        let columns = funnel.map(\.name).joined(separator: ", ")
        try each("SELECT day, platform, events, duplicates, \(columns) FROM daily_totals \(during)", period) { row in
            var totals = Totals()
            totals.events = try row.count(2)
            totals.duplicates = try row.count(3)
            for column in funnel { totals[column] = try row.count(4 + column.rawValue) }
            figures.totals[try row.date(0), default: [:]][try row.text(1)] = totals
        }
        try each(
            "SELECT day, hour, \(sum("events")) FROM hourly_actions \(during) AND action = 'open' GROUP BY day, hour",
            period
        ) { row in
            let (weekday, hour) = (try row.date(0).weekday, try row.number(1))
            if (0..<24).contains(hour) { figures.opens[weekday - 1][hour] += try row.count(2) }
        }
        try each(
            """
            SELECT days_late, \(sum("events")), \(sum("duplicates")) FROM daily_lateness \(during) GROUP BY days_late
            """, period
        ) { row in
            figures.lateness[try row.number(0)] = PeriodFigures.Late(
                events: try row.count(1), duplicates: try row.count(2))
        }
        try each(
            """
            SELECT outcome, reason, \(sum("records")) FROM outcomes WHERE log_date BETWEEN ? AND ?
            GROUP BY outcome, reason
            """, period
        ) { row in
            let (outcome, reason, records) = (try row.text(0), try row.text(1), try row.count(2))
            figures.records += records
            switch outcome {
            case "rejected": figures.rejects[reason] = records
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
        try each(
            """
            SELECT c.*, d.label, d.in_file, d.first_day, r.sent FROM (\(countsByDelivery)) c
            LEFT JOIN deliveries d USING (delivery_id) LEFT JOIN delivery_results r USING (delivery_id)
            """, period
        ) { row in
            let (id, now) = (try row.text(0), try DeliveryResult.Counts(row))
            guard now.messages > 0 else { return }
            let isWhole = try row.optionalDate(7).map(period.contains) ?? false
            results.append(
                DeliveryResult(
                    id: id, label: try row.optionalText(5), isInFile: try row.number(6) == 1,
                    sent: isWhole ? try row.optionalNumber(8) : nil, now: now, before: before[id]))
        }
        return results
    }

    private func counts(_ period: ReportPeriod) throws -> [String: DeliveryResult.Counts] {
        var counts: [String: DeliveryResult.Counts] = [:]
        try each(countsByDelivery, period) { row in counts[try row.text(0)] = try DeliveryResult.Counts(row) }
        return counts
    }

    private var countsByDelivery: String {
        let sums = ["messages", "impressed", "clicked", "opened"].map(sum).joined(separator: ", ")
        return "SELECT delivery_id, \(sums) FROM daily_funnel \(during) GROUP BY delivery_id"
    }

    private var during: String { "WHERE day BETWEEN ? AND ?" }

    private func sum(_ column: String) -> String { CheckedReader.sum(column) }

    /// The rows of a selection whose arguments are the first and the last day.
    private func each(_ sql: String, _ period: ReportPeriod, _ body: (CheckedRow) throws -> Void) throws {
        try reader.forEach(sql, [period.first.description, period.last.description], body)
    }
}

extension DeliveryResult.Counts {
    /// Takes the four sums after the delivery.
    fileprivate init(_ row: CheckedRow) throws {
        self.init(
            messages: try row.count(1), impressed: try row.count(2), clicked: try row.count(3),
            opened: try row.count(4))
    }
}
