import Calendar
import Counting
import Output
import Partitions
import SQLite

/// Reads the figures of a report from push.db, in one transaction.
///
/// The tables of figures have keys that begin with the day, so that only the rows of a period are read.
struct FigureReader {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Whether push.db has the tables of this version.
    func isCurrent() throws -> Bool {
        try database.value("PRAGMA user_version") == OutputSchema.version
    }

    /// All days and log dates. Two years have 730 of each.
    func table() throws -> DayTable {
        var table = DayTable()
        try database.forEach("SELECT key, value FROM about WHERE key IN ('timezone', 'window_days')") { row in
            guard let value: String = try row.read(1) else { return }
            if try row.read(0) == "timezone" {
                table.timeZone = value
            } else {
                table.windowDays = Int(value) ?? table.windowDays
            }
        }
        let isFormer = "pipeline <> (SELECT value FROM about WHERE key = 'pipeline')"
        try database.forEach("SELECT log_date, status, coalesce(\(isFormer), 0) FROM partitions") { row in
            table.logDates[try row.date(0), default: LogDateFacts()].status = try row.read(1)
            table.logDates[try row.date(0)]?.isOfFormerPipeline = try row.read(2) == 1
        }
        // The last load stands.
        try database.forEach("SELECT log_date, verdict, detail FROM loads ORDER BY log_date, started_at, finished_at") {
            row in
            let date = try row.date(0)
            table.logDates[date, default: LogDateFacts()].verdict = try row.read(1)
            table.logDates[date, default: LogDateFacts()].detail = try row.read(2)
        }
        for (date, warnings) in try LoadWarnings.all(in: database) {
            table.logDates[date, default: LogDateFacts()].warnings = warnings
        }
        try database.forEach("SELECT day, messages, later_log_dates, final FROM days") { row in
            table.days[try row.date(0)] = DayFacts(
                messages: try row.count(1), laterLogDates: try row.count(2), isFinal: try row.read(3) == 1)
        }
        table.sortLogDates()
        return table
    }

    /// - Parameter withoutCompared: days that are not compared.
    func figures(_ period: ReportPeriod, withoutCompared left: Set<LogDate>) throws -> PeriodFigures {
        for table in ["daily_totals", "hourly_actions", "daily_lateness", "daily_funnel"] {
            try database.checkEnds(of: "day", in: table)
        }
        try database.checkEnds(of: "log_date", in: "outcomes")
        var figures = PeriodFigures(period)
        figures.totals = try totals(period)
        try each(
            "SELECT day, hour, action, \(sum("events")) FROM hourly_actions \(during) GROUP BY day, hour, action",
            period
        ) { row in
            let (hour, action): (Int, String) = (try row.read(1), try row.read(2))
            let (weekday, events) = (try row.date(0).weekday, try row.count(3))
            guard (0..<24).contains(hour) else { return }
            if action == "open" { figures.opens[weekday - 1][hour] += events }
            figures.hours[action, default: [Int](repeating: 0, count: 24)][hour] += events
        }
        try each(
            """
            SELECT days_late, \(sum("events")), \(sum("duplicates")) FROM daily_lateness \(during) GROUP BY days_late
            """, period
        ) { row in
            figures.lateness[try row.read(0)] = PeriodFigures.Late(
                events: try row.count(1), duplicates: try row.count(2))
        }
        try each(
            """
            SELECT outcome, reason, \(sum("records")) FROM outcomes WHERE log_date BETWEEN ?1 AND ?2
            GROUP BY outcome, reason
            """, period
        ) { row in
            let (outcome, reason, records): (String, String, Int) = (try row.read(0), try row.read(1), try row.count(2))
            figures.records += records
            switch outcome {
            case "rejected": figures.rejects[reason] = records
            case "filtered": figures.filtered += records
            default: break
            }
        }
        figures.deliveries = try deliveries(period)
        guard !left.isEmpty else {
            for index in figures.deliveries.indices {
                figures.deliveries[index].comparedCounts = figures.deliveries[index].counts
            }
            return figures
        }
        var compared: [String: DeliveryResult.Counts] = [:]
        let days = left.map { "'\($0)'" }.sorted().joined(separator: ", ")
        try each(countsByDelivery("AND day NOT IN (\(days))"), period) { row in
            compared[try row.read(0)] = try DeliveryResult.Counts(row, from: 1)
        }
        for index in figures.deliveries.indices {
            figures.deliveries[index].comparedCounts = compared[figures.deliveries[index].id] ?? .init()
        }
        return figures
    }

    /// The rows of `daily_totals`, by day and platform.
    func totals(_ period: ReportPeriod) throws -> [LogDate: [String: Totals]] {
        var all: [LogDate: [String: Totals]] = [:]
        let funnel = FunnelColumn.allCases
        let columns = funnel.map(\.name).joined(separator: ", ")
        try each("SELECT day, platform, events, duplicates, \(columns) FROM daily_totals \(during)", period) { row in
            var totals = Totals()
            totals.events = try row.count(2)
            totals.duplicates = try row.count(3)
            for column in funnel { totals[column] = try row.count(4 + column.rawValue) }
            all[try row.date(0), default: [:]][try row.read(1)] = totals
        }
        return all
    }

    private func deliveries(_ period: ReportPeriod) throws -> [DeliveryResult] {
        var results: [DeliveryResult] = []
        let counts = ["messages", "clicked", "opened"].map {
            "CASE WHEN c.delivery_id NOT NULL THEN c.\($0) ELSE 0 END AS \($0)"
        }
        let complete = "SELECT log_date FROM partitions WHERE status = 'complete'"
        try each(
            """
            SELECT r.delivery_id, \(counts.joined(separator: ", ")),
                r.label, r.campaign, r.variant, d.in_file, coalesce(r.first_day, r.sent_day), r.sent_day, r.sent, r.delivered,
                coalesce(r.first_day, r.sent_day) IN (\(complete)) AND coalesce(r.sent_day, r.first_day) IN (\(complete))
            FROM delivery_results r LEFT JOIN (\(countsByDelivery())) c USING (delivery_id)
            LEFT JOIN deliveries d USING (delivery_id)
            WHERE c.delivery_id NOT NULL AND c.messages IS NOT 0 OR r.first_day IS NULL AND r.sent_day BETWEEN ?1 AND ?2
            """, period
        ) { row in
            let firstDay = try row.optionalDate(8)
            let isWhole = firstDay.map(period.contains) ?? false
            results.append(
                DeliveryResult(
                    id: try row.read(0), label: try row.read(4), campaign: try row.read(5),
                    variant: try row.read(6), isInFile: try row.read(7) == 1, firstDay: firstDay,
                    sentDay: try row.optionalDate(9), sent: isWhole ? try row.optionalCountOfAnySize(10) : nil,
                    delivered: isWhole ? try row.optionalCountOfAnySize(11) : nil,
                    isWithCompleteLogs: row.value(12) == .int64(1),
                    counts: try DeliveryResult.Counts(row, from: 1)))
        }
        return results
    }

    private func countsByDelivery(_ condition: String = "") -> String {
        let sums = ["messages", "clicked", "opened"].map(sum).joined(separator: ", ")
        return "SELECT delivery_id, \(sums) FROM daily_funnel \(during) \(condition) GROUP BY delivery_id"
    }

    private var during: String { "WHERE day BETWEEN ?1 AND ?2" }

    /// SQL for the sum of a column of counts, under the column's name. It is NULL if a value is no count: SQLite itself takes a
    /// text for 0.
    private func sum(_ column: String) -> String {
        "CASE WHEN total(typeof(\(column)) <> 'integer' OR \(column) < 0) = 0 THEN sum(\(column)) END AS \(column)"
    }

    /// The rows of a selection whose arguments are the first and the last day.
    private func each(_ sql: String, _ period: ReportPeriod, _ body: (Statement) throws -> Void) throws {
        try database.forEach(sql, .of(period.first.description, period.last.description), body)
    }
}

extension DeliveryResult.Counts {
    /// Takes the three sums from a column on.
    fileprivate init(_ row: Statement, from column: Int) throws {
        self.init(
            messages: try row.count(column), clicked: try row.count(column + 1), opened: try row.count(column + 2))
    }
}
