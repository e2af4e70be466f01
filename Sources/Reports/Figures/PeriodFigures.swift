import Calendar
import Partitions
import SQLite

/// The figures of a period that several sections show. Others are read by the section that shows them.
struct PeriodFigures {
    let period: ReportPeriod
    /// The rows of `daily_totals`, by day and platform.
    let totals: [LogDate: [String: Totals]]
    /// The same of each group of deliveries; empty where there is but one.
    private let apart: [String: [LogDate: [String: Totals]]]
    /// Those with messages in the period, and those that were sent in it and have none, in any order.
    let deliveries: [DeliveryResult]

    init(
        of period: ReportPeriod, _ deliveries: [DeliveryResult], in database: Database, areGroupsApart: Bool
    ) throws {
        self.period = period
        self.deliveries = deliveries
        totals = try PeriodFigures.totals(during: period, in: database)[""] ?? [:]
        let groups = Dictionary(deliveries.map { ($0.id, $0.group.rawValue) }) { first, _ in first }
        apart =
            areGroupsApart
            ? try PeriodFigures.totals(during: period, in: database, "totals by delivery") { groups[$0] ?? "" } : [:]
    }

    /// The totals of a period by group, day and platform.
    /// - Parameter group: that of a delivery. In daily_totals all are of one without an id.
    static func totals(
        during period: ReportPeriod, in database: Database, _ question: String = "totals",
        group: (_ delivery: String) -> String = { $0 }
    ) throws -> [String: [LogDate: [String: Totals]]] {
        try database.checkEnds(of: "day", in: "daily_totals")
        var all: [String: [LogDate: [String: Totals]]] = [:]
        let sql = Question.page(question, columns: Totals.columns.map(\.name))
        try database.forEach(sql, during: period) { row in
            let (platform, delivery): (String, String) = (try row.read(1), try row.read(2))
            all[group(delivery), default: [:]][try row.date(0), default: [:]][platform, default: Totals()] +=
                try Totals(row)
        }
        return all
    }

    /// The sums over days, of all platforms or of one.
    func sum(_ days: [LogDate], platform: String? = nil, of group: DeliveryGroup? = nil) -> Totals {
        let all = group.map { apart[$0.rawValue] ?? [:] } ?? totals
        var sum = Totals()
        for day in days {
            for (name, totals) in all[day] ?? [:] where platform == nil || platform == name { sum += totals }
        }
        return sum
    }

    func sum(platform: String? = nil, of group: DeliveryGroup? = nil) -> Totals {
        sum(period.days, platform: platform, of: group)
    }

    /// The deliveries of a group.
    func deliveries(of group: DeliveryGroup?) -> [DeliveryResult] {
        group.map { group in deliveries.filter { $0.group == group } } ?? deliveries
    }

    /// The deliveries that began on some days and say how many were sent; those with complete logs if they are compared.
    func sent(on days: [LogDate], _ areCompared: Bool = false, of group: DeliveryGroup? = nil) -> [DeliveryResult] {
        let days = Set(days)
        return deliveries(of: group).filter {
            $0.sent != nil && $0.firstDay.map(days.contains) == true && (!areCompared || $0.isWithCompleteLogs)
        }
    }

    /// The platforms that have rows, in the usual order.
    var platforms: [String] { Totals.inUsualOrder(Set(totals.values.flatMap(\.keys))) }
}

extension Database {
    /// The rows of a question of the page about the days of a period. The tables of figures have keys that begin with the day,
    /// so that only the rows of these days are read.
    func forEach(_ sql: String, during period: ReportPeriod, _ body: (Statement) throws -> Void) throws {
        try forEach(sql, .of(period.first.description, period.last.description), body)
    }
}
