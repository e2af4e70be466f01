import Calendar
import Foundation
import Partitions
import SQLite

/// The figures of a period that several sections show. Others are read by the section that shows them.
struct PeriodFigures {
    typealias Days = [LogDate: [String: Totals]]

    let period: ReportPeriod
    /// The rows of `daily_totals`, by day and platform.
    let totals: Days
    /// The same of each group of deliveries; empty where there is but one.
    private let apart: [DeliveryGroup: Days]
    /// Those with messages in the period, and those that were sent in it and have none, in any order.
    let deliveries: [DeliveryResult]

    /// - Parameter groups: those that stand apart.
    init(
        of period: ReportPeriod, _ deliveries: [DeliveryResult], apart groups: [DeliveryGroup], in database: Database
    ) throws {
        self.period = period
        self.deliveries = deliveries
        totals = try PeriodFigures.totals(during: period, in: database)
        var apart: [DeliveryGroup: Days] = [:]
        // That of the most deliveries is what the others leave.
        let sizes = groups.map { group in (group: group, size: deliveries.count { $0.group == group }) }
        if let largest = sizes.max(by: { $0.size < $1.size })?.group {
            var rest = totals
            for group in groups where group != largest {
                let ids = deliveries.filter { $0.group == group }.map(\.id)
                let days = try PeriodFigures.totals(during: period, of: ids, in: database)
                rest = rest.merging(days) { day, others in
                    day.merging(others) { $0.without($1) }
                }
                apart[group] = days
            }
            apart[largest] = rest
        }
        self.apart = apart
    }

    /// The rows of `daily_totals` of a period, or what they would be of some deliveries.
    static func totals(
        during period: ReportPeriod, of deliveries: [String]? = nil, in database: Database
    ) throws -> Days {
        try database.checkEnds(of: "day", in: "daily_totals")
        var all: Days = [:]
        let sql = Question.page(deliveries == nil ? "totals" : "totals apart", columns: Totals.columns.map(\.name))
        var values = [DatabaseValue].of(period.first.description, period.last.description)
        if let deliveries { values += .of(String(decoding: try JSONEncoder().encode(deliveries), as: UTF8.self)) }
        try database.forEach(sql, binding: values) { row in
            all[try row.date(0), default: [:]][try row.read(1)] = try Totals(ofDay: row)
        }
        return all
    }

    /// The sums over days, of all platforms or of one, and of all deliveries or of a group.
    func sum(_ days: [LogDate], of platform: String? = nil, in group: DeliveryGroup? = nil) -> Totals {
        let all = group.map { apart[$0] ?? [:] } ?? totals
        var sum = Totals()
        for day in days {
            for (name, totals) in all[day] ?? [:] where platform == nil || platform == name { sum += totals }
        }
        return sum
    }

    /// The deliveries of a group.
    func deliveries(of group: DeliveryGroup?) -> [DeliveryResult] {
        group.map { group in deliveries.filter { $0.group == group } } ?? deliveries
    }

    /// The deliveries that began on some days and say how many were sent; those with complete logs if they are compared.
    func sent(
        on days: [LogDate], areCompared: Bool = false, of group: DeliveryGroup? = nil
    ) -> [DeliveryResult] {
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
    func forEach(_ sql: String, during period: ReportPeriod, body: (Statement) throws -> Void) throws {
        try forEach(sql, binding: .of(period.first.description, period.last.description), body: body)
    }
}
