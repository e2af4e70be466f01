import Calendar
import Counting
import SQLite

/// A delivery that has messages in the period, or was sent in it without any message being known.
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
    /// The day of the first message. Without messages, the day on which the delivery was sent.
    let firstDay: LogDate?
    /// The day on which the delivery was sent, if a file gives it.
    let sentDay: LogDate?
    let group: DeliveryGroup
    /// The number sent. Nil if it is not known, or if the delivery began before the period, since some of its messages
    /// then lie outside.
    let sent: Int?
    let delivered: Int?
    /// Whether the log dates of the first day and of the day of sending are complete. If not, some messages are not
    /// known, and the delivery is not compared.
    let isWithCompleteLogs: Bool
    let counts: Totals
    /// The counts on the days that are compared with another period.
    let comparedCounts: Totals
    /// Whether hardly any of its messages became known.
    var isFailed = false

    var day: LogDate? { sentDay ?? firstDay }

    /// Whether the delivery may be compared with others.
    var isFair: Bool { isWithCompleteLogs && !isFailed }

    /// The share of messages sent that were opened; nil if the number sent is not known.
    var openRateOfSent: Double? { sent.flatMap { Proportion(part: counts[.opened], whole: $0).rate } }
    /// The share of messages sent that became known; nil if the number sent is not known.
    var seenRate: Double? { sent.flatMap { Proportion(part: counts.seen, whole: $0).rate } }

    /// The number sent or the number of messages, whichever is larger.
    var size: Int { max(sent ?? 0, counts[.messages]) }

    /// The label, or else the id.
    var name: String { label ?? id }

    /// The id and the campaign, as keys.
    var key: ExactName { ExactName(id) }
    var campaignKey: ExactName? { campaign.map(ExactName.init) }

    /// - Parameters:
    ///   - row: of a question about deliveries.
    ///   - period: the period of the report. The number sent counts as unknown for deliveries that began before it. Nil
    ///     to report each delivery as a whole.
    ///   - left: the counts on days that are not compared.
    init(
        _ row: Statement, of period: ReportPeriod? = nil, counts: Totals, withoutCompared left: Totals? = nil,
        with table: DayTable
    ) throws {
        sentDay = try row.optionalDate(6)
        firstDay = try row.optionalDate(5) ?? sentDay
        let isWhole = period == nil || firstDay.map { period?.contains($0) == true } ?? false
        let sentFrom: String? = try row.read(8)
        id = try row.read(0)
        label = try row.read(1)
        campaign = try row.read(2)
        variant = try row.read(3)
        isInFile = try row.read(4) == 1
        group = DeliveryGroup(rawValue: sentFrom ?? "") ?? .others
        sent = isWhole ? try row.optionalCountOfAnySize(7) : nil
        delivered = isWhole ? try row.optionalCountOfAnySize(9) : nil
        isWithCompleteLogs = [firstDay, sentDay ?? firstDay].allSatisfy { $0.map(table.isComplete) ?? false }
        self.counts = counts
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
        try database.forEach(Question.page("deliveries"), during: period) { row in
            let id = ExactName(try row.read(0))
            let hasBegun = try row.optionalDate(5) != nil
            let own = counts.removeValue(forKey: id)
            if hasBegun, own == nil { return }
            all.append(
                try DeliveryResult(
                    row, of: period, counts: own ?? Totals(), withoutCompared: leftCounts[id], with: table))
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
