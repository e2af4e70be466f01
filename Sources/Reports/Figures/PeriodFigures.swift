import Calendar
import Counting
import Partitions
import SQLite

/// The figures of a period that several sections show. Others are read by the section that shows them.
struct PeriodFigures {
    let period: ReportPeriod
    /// The rows of `daily_totals`, by day and platform.
    let totals: [LogDate: [String: Totals]]
    /// Those with messages in the period, and those that were sent in it and have none, in any order.
    let deliveries: [DeliveryResult]

    /// - Parameter left: days that are not compared.
    init(of period: ReportPeriod, in database: Database, withoutCompared left: Set<LogDate>) throws {
        self.period = period
        totals = try Totals.all(during: period, in: database)
        deliveries = try DeliveryResult.all(during: period, in: database, withoutCompared: left)
    }

    /// The sums over days, of all platforms or of one.
    func sum(_ days: [LogDate], platform: String? = nil) -> Totals {
        var sum = Totals()
        for day in days {
            for (name, totals) in self.totals[day] ?? [:] where platform == nil || platform == name { sum += totals }
        }
        return sum
    }

    func sum(platform: String? = nil) -> Totals { sum(period.days, platform: platform) }

    /// The deliveries that began on some days and say how many were sent; those with complete logs if they are compared.
    func sent(on days: [LogDate], _ areCompared: Bool = false) -> [DeliveryResult] {
        let days = Set(days)
        return deliveries.filter {
            $0.sent != nil && $0.firstDay.map(days.contains) == true && (!areCompared || $0.isWithCompleteLogs)
        }
    }

    /// The platforms that have rows, in the usual order.
    var platforms: [String] {
        let found = Set(totals.values.flatMap(\.keys))
        let usual = ["android", "ios", "web", "unknown"]
        return usual.filter(found.contains) + found.subtracting(usual).sorted()
    }
}

/// Counts of `daily_totals`, added up.
struct Totals: Equatable {
    private(set) var events = 0
    private(set) var duplicates = 0
    private var funnel = [Int](repeating: 0, count: FunnelColumn.allCases.count)

    /// The rows of a period, by day and platform.
    static func all(during period: ReportPeriod, in database: Database) throws -> [LogDate: [String: Totals]] {
        try database.checkEnds(of: "day", in: "daily_totals")
        var all: [LogDate: [String: Totals]] = [:]
        let columns = FunnelColumn.allCases.map(\.name).joined(separator: ", ")
        let sql = "SELECT day, platform, events, duplicates, \(columns) FROM daily_totals WHERE day BETWEEN ?1 AND ?2"
        try database.forEach(sql, during: period) { row in
            var totals = Totals()
            totals.events = try row.count(2)
            totals.duplicates = try row.count(3)
            for column in FunnelColumn.allCases { totals.funnel[column.rawValue] = try row.count(4 + column.rawValue) }
            all[try row.date(0), default: [:]][try row.read(1)] = totals
        }
        return all
    }

    subscript(column: FunnelColumn) -> Int { funnel[column.rawValue] }

    static func += (a: inout Totals, b: Totals) {
        a.events += b.events
        a.duplicates += b.duplicates
        for index in a.funnel.indices { a.funnel[index] += b.funnel[index] }
    }

    /// A rate of sums; nil if there is nothing to divide by.
    func rate(_ part: FunnelColumn, of whole: FunnelColumn) -> Double? {
        Proportion(part: self[part], whole: self[whole]).rate
    }
}

extension Database {
    /// The rows of a query about the days from ?1 to ?2. The tables of figures have keys that begin with the day, so that only
    /// the rows of these days are read.
    func forEach(_ sql: String, during period: ReportPeriod, _ body: (Statement) throws -> Void) throws {
        try forEach(sql, .of(period.first.description, period.last.description), body)
    }

    /// SQL for the sum of a column of counts, under the column's name. It is NULL if a value is no count: SQLite itself takes a
    /// text for 0.
    static func sum(_ column: String) -> String {
        "CASE WHEN total(typeof(\(column)) <> 'integer' OR \(column) < 0) = 0 THEN sum(\(column)) END AS \(column)"
    }
}
