import Calendar
import Foundation
import Partitions
import SQLite

/// The figures of a period that several sections show. Other figures are read by their own section.
struct PeriodFigures {
    typealias Days = [LogDate: [String: Totals]]

    let period: ReportPeriod
    /// The rows of `daily_totals`, by day and platform.
    let totals: Days
    /// The rows by group of deliveries; empty if there is only one group.
    private let apart: [DeliveryGroup: Days]
    /// The deliveries with messages in the period, and those that began in it, in any order.
    let deliveries: [DeliveryResult]

    /// - Parameter groups: the groups to be shown separately.
    init(
        of period: ReportPeriod, _ deliveries: [DeliveryResult], apart groups: [DeliveryGroup], in database: Database
    ) throws {
        self.period = period
        self.deliveries = deliveries
        totals = try PeriodFigures.totals(during: period, in: database)
        var apart: [DeliveryGroup: Days] = [:]
        // The largest group is what remains after the others are subtracted, which saves reading its rows.
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

    /// The rows of `daily_totals` in a period. With `deliveries`, the rows that these alone would have.
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

    /// The sums over days, optionally of one platform or one group.
    func sum(_ days: [LogDate], of platform: String? = nil, in group: DeliveryGroup? = nil) -> Totals {
        let all = group.map { apart[$0] ?? [:] } ?? totals
        var sum = Totals()
        for day in days {
            for (name, totals) in all[day] ?? [:] where platform == nil || platform == name { sum += totals }
        }
        return sum
    }

    func deliveries(of group: DeliveryGroup?) -> [DeliveryResult] {
        group.map { group in deliveries.filter { $0.group == group } } ?? deliveries
    }

    /// The deliveries that began on the given days and whose number sent is known. With `areCompared`, only those with
    /// complete logs.
    func sent(
        on days: [LogDate], areCompared: Bool = false, of group: DeliveryGroup? = nil
    ) -> [DeliveryResult] {
        let days = Set(days)
        return deliveries(of: group).filter {
            $0.sent != nil && $0.beginDay.map(days.contains) == true && (!areCompared || $0.isWithCompleteLogs)
        }
    }

    /// The platforms that have rows, in the usual order.
    var platforms: [String] { Totals.inUsualOrder(Set(totals.values.flatMap(\.keys))) }
}

extension Database {
    /// Reads the rows of a question for the days of a period. Keys begin with the day, so only rows of these days are
    /// read.
    func forEach(_ sql: String, during period: ReportPeriod, body: (Statement) throws -> Void) throws {
        try forEach(sql, binding: .of(period.first.description, period.last.description), body: body)
    }
}
