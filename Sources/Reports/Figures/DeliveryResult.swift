import Calendar
import Counting
import SQLite

/// A delivery that has messages in the period, or began in it.
struct DeliveryResult {
    /// The funnel columns that are read.
    static let columns: [FunnelColumn] = [
        .messages, .clicked, .opened, .impressed, .openedWithoutImpression, .arrivedUnseen,
    ]

    let id: String
    let label: String?
    let campaign: String?
    let variant: String?
    let isInFile: Bool
    /// The day on which it began: on which it was sent or, if no file gives that, of its first event. One device with a
    /// wrong clock is enough for an early first event.
    let beginDay: LogDate?
    let group: DeliveryGroup
    /// The number sent. Nil if it is not known, or if the delivery began before the period, since some of its messages
    /// then lie outside.
    let sent: Int?
    let delivered: Int?
    /// Whether the log date of the day on which it began, and that of its first event if it came later, are complete. If
    /// not, some messages are not known, and the delivery is not compared.
    let isWithCompleteLogs: Bool
    /// The counts in the period.
    let counts: Totals
    /// The counts of all days if the delivery began in the period, else those in the period. The number sent, and all
    /// that is divided by it, is that of the whole delivery, also of what came after the period.
    let ownCounts: Totals
    /// The counts on the days that are compared with another period.
    let comparedCounts: Totals
    /// Whether hardly any of its messages became known.
    var isFailed = false

    /// Whether the delivery may be compared with others.
    var isFair: Bool { isWithCompleteLogs && !isFailed }

    /// Whether something came of it on days outside of the period, mostly after it.
    var hasLaterCounts: Bool { ownCounts != counts }

    /// The share of messages sent that were opened; nil if the number sent is not known.
    var openRateOfSent: Double? { sent.flatMap { Proportion(part: ownCounts[.opened], whole: $0).rate } }
    /// The share of messages sent that became known; nil if the number sent is not known.
    var seenRate: Double? { sent.flatMap { Proportion(part: ownCounts.seen, whole: $0).rate } }

    /// The number sent or the number of messages, whichever is larger.
    var size: Int { max(sent ?? 0, ownCounts[.messages]) }

    /// The label, or else the id.
    var name: String { label ?? id }

    /// The id and the campaign, as keys.
    var key: ExactName { ExactName(id) }
    var campaignKey: ExactName? { campaign.map(ExactName.init) }

    /// - Parameters:
    ///   - row: of a question about deliveries, with `columns` at the end.
    ///   - period: the period of the report. The number sent counts as unknown for deliveries that did not begin in it.
    ///     Nil to report each delivery as a whole.
    ///   - left: the counts on days that are not compared.
    init(
        _ row: Statement, of period: ReportPeriod? = nil, counts: Totals, withoutCompared left: Totals? = nil,
        with table: DayTable
    ) throws {
        let firstDay = try row.optionalDate(5)
        let beginDay = try row.optionalDate(6) ?? firstDay
        let isWhole = period.map { period in beginDay.map(period.contains) ?? false } ?? true
        self.beginDay = beginDay
        let sentFrom: String? = try row.read(8)
        id = try row.read(0)
        label = try row.read(1)
        campaign = try row.read(2)
        variant = try row.read(3)
        isInFile = try row.read(4) == 1
        group = DeliveryGroup(rawValue: sentFrom ?? "") ?? .others
        sent = isWhole ? try row.optionalCountOfAnySize(7) : nil
        delivered = isWhole ? try row.optionalCountOfAnySize(9) : nil
        isWithCompleteLogs =
            beginDay.map { [$0, max($0, firstDay ?? $0)].allSatisfy(table.isComplete) } ?? false
        self.counts = counts
        ownCounts = isWhole ? try Totals(row, from: 10, columns: DeliveryResult.columns) : counts
        comparedCounts = left.map(counts.without) ?? counts
    }

    /// The deliveries of a period, in any order, not judged yet.
    /// - Parameter left: days that are not compared.
    static func all(
        during period: ReportPeriod, withoutCompared left: Set<LogDate>, with table: DayTable, in database: Database
    ) throws -> [DeliveryResult] {
        try database.checkEnds(of: "day", in: "daily_funnel")
        var (counts, leftCounts): ([ExactName: Totals], [ExactName: Totals]) = ([:], [:])
        let days = Question.page("days of deliveries", columns: columns.map(\.name))
        try database.forEach(days, during: period) { row in
            let (id, sum) = (ExactName(try row.read(1)), try Totals(row, from: 2, columns: columns))
            counts[id, default: Totals()] += sum
            if !left.isEmpty, left.contains(try row.date(0)) { leftCounts[id, default: Totals()] += sum }
        }
        counts = counts.filter { $0.value[.messages] != 0 }
        var all: [DeliveryResult] = []
        try database.forEach(Question.page("deliveries", columns: columns.map(\.name)), during: period) { row in
            let id = ExactName(try row.read(0))
            let own = counts.removeValue(forKey: id)
            let delivery = try DeliveryResult(
                row, of: period, counts: own ?? Totals(), withoutCompared: leftCounts[id], with: table)
            if own != nil || delivery.beginDay.map(period.contains) == true { all.append(delivery) }
        }
        // Somebody has deleted rows from the table deliveries.
        guard counts.isEmpty else {
            throw ValueError(column: "delivery_id", fault: "is not in the table deliveries", sql: days)
        }
        return all
    }
}

extension [DeliveryResult] {
    var largestFirst: [DeliveryResult] { sorted { ($1.size, $0.id) < ($0.size, $1.id) } }
}

extension [Double] {
    /// The middle value of sorted values, or the mean of the two middle ones; nil without values.
    var median: Double? { isEmpty ? nil : (self[(count - 1) / 2] + self[count / 2]) / 2 }
}

extension Int {
    /// The sum; nil if it is too large.
    func adding(_ other: Int) -> Int? {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? nil : sum
    }
}

extension [Int] {
    /// The sum; nil without counts, or if the sum exceeds the largest integer. A delivery file may contain any number.
    var knownSum: Int? { first.flatMap { first in dropFirst().reduce(first) { sum, count in sum?.adding(count) } } }
}
