import Calendar
import Partitions
import SQLite

/// The figures of a period that several sections show. Others are read by the section that shows them.
struct PeriodFigures {
    let period: ReportPeriod
    /// The rows of `daily_totals`, by day and platform.
    let totals: [LogDate: [String: Totals]]
    /// The same of each group of deliveries; empty where there is but one.
    private let apart: [DeliveryGroup: [LogDate: [String: Totals]]]
    /// Those with messages in the period, and those that were sent in it and have none, in any order.
    let deliveries: [DeliveryResult]

    init(
        of period: ReportPeriod, _ deliveries: [DeliveryResult], in database: Database, areGroupsApart: Bool
    ) throws {
        (self.period, self.deliveries) = (period, deliveries)
        totals = try PeriodFigures.totals(during: period, in: database)
        apart = areGroupsApart ? try PeriodFigures.all("totals apart", during: period, in: database) : [:]
    }

    /// The rows of `daily_totals` of a period.
    static func totals(during period: ReportPeriod, in database: Database) throws -> [LogDate: [String: Totals]] {
        try all("totals", during: period, in: database)[.others] ?? [:]
    }

    /// The answer to a question about totals, by group, day and platform.
    private static func all(
        _ question: String, during period: ReportPeriod, in database: Database
    ) throws -> [DeliveryGroup: [LogDate: [String: Totals]]] {
        try database.checkEnds(of: "day", in: "daily_totals")
        var all: [DeliveryGroup: [LogDate: [String: Totals]]] = [:]
        try database.forEach(Question.page(question, columns: Totals.columns.map(\.name)), during: period) { row in
            let (platform, sentFrom): (String, String) = (try row.read(1), try row.read(2))
            let group = DeliveryGroup(rawValue: sentFrom) ?? .others
            all[group, default: [:]][try row.date(0), default: [:]][platform, default: Totals()] += try Totals(row)
        }
        return all
    }

    /// The sums over days, of all platforms or of one.
    func sum(_ days: [LogDate], platform: String? = nil, of group: DeliveryGroup? = nil) -> Totals {
        let all = group.map { apart[$0] ?? [:] } ?? totals
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
        try forEach(sql, binding: .of(period.first.description, period.last.description), body: body)
    }
}
