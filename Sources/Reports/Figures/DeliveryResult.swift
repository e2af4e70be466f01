import Calendar
import Counting
import SQLite

/// A delivery with messages in the period, or one that was sent in it and has none at all.
struct DeliveryResult {
    /// The columns of the funnel that are read.
    static let columns: [FunnelColumn] = [
        .messages, .clicked, .opened, .impressed, .openedWithoutImpression, .arrivedUnseen,
    ]

    let id: String
    let label: String?
    let campaign: String?
    let variant: String?
    let isInFile: Bool
    /// The day of its first message; of a delivery without any, the day that it was sent on.
    let firstDay: LogDate?
    /// The day that it was sent on, if a file says so.
    let sentDay: LogDate?
    let group: DeliveryGroup
    /// Nil if nothing says so, or if the delivery began before the period. Then part of its messages is not in it.
    let sent: Int?
    let delivered: Int?
    /// Whether the log dates of its first day and of the day that it was sent on are complete. Of another delivery, part of
    /// its messages is not known, so that it is not compared.
    let isWithCompleteLogs: Bool
    let counts: Totals
    /// The counts on the days that are compared with another period.
    let comparedCounts: Totals
    /// Whether hardly any of its messages became known.
    private(set) var isFailed = false

    var day: LogDate? { sentDay ?? firstDay }

    /// Whether it may be compared with others.
    var isFair: Bool { isWithCompleteLogs && !isFailed }

    /// Opened of sent, where that is known.
    var openRateOfSent: Double? { sent.flatMap { Proportion(part: counts[.opened], whole: $0).rate } }
    /// What became known of what was sent.
    var seenRate: Double? { sent.flatMap { Proportion(part: counts.seen, whole: $0).rate } }

    /// Sent or messages, whichever are more.
    var size: Int { max(sent ?? 0, counts[.messages]) }

    /// The name that people know, else the id.
    var name: String { label ?? id }

    /// - Parameters:
    ///   - row: of a question about deliveries.
    ///   - period: what was sent of deliveries that began before it is not known; nil for each its own.
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

    /// The deliveries of a period, in any order.
    /// - Parameter left: days that are not compared.
    static func all(
        during period: ReportPeriod, withoutCompared left: Set<LogDate>, with table: DayTable, in database: Database
    ) throws -> [DeliveryResult] {
        try database.checkEnds(of: "day", in: "daily_funnel")
        var (counts, leftCounts): ([String: Totals], [String: Totals]) = ([:], [:])
        let days = Question.page("days of deliveries", columns: columns.map(\.name))
        try database.forEach(days, during: period) { row in
            let (id, sum): (String, Totals) = (try row.read(1), try Totals(row, from: 2, columns: columns))
            counts[id, default: Totals()] += sum
            if !left.isEmpty, left.contains(try row.date(0)) { leftCounts[id, default: Totals()] += sum }
        }
        counts = counts.filter { $0.value[.messages] != 0 }
        var all: [DeliveryResult] = []
        try database.forEach(Question.page("deliveries"), during: period) { row in
            let id: String = try row.read(0)
            let hasBegun = try row.optionalDate(5) != nil
            let own = counts.removeValue(forKey: id)
            if hasBegun, own == nil { return }
            all.append(
                try DeliveryResult(
                    row, of: period, counts: own ?? Totals(), withoutCompared: leftCounts[id], with: table))
        }
        // Somebody has deleted rows.
        guard counts.isEmpty else {
            throw ValueError(column: "delivery_id", fault: "is not in the table deliveries", sql: days)
        }
        return judged(all, with: table)
    }

    /// The deliveries, of which it is told which failed.
    static func judged(_ deliveries: [DeliveryResult], with table: DayTable) -> [DeliveryResult] {
        let usual = UsualShare.all(of: deliveries, with: table)
        return deliveries.map { delivery in
            var delivery = delivery
            delivery.isFailed = usual[delivery.group]?.isFailed(delivery, with: table) ?? false
            return delivery
        }
    }
}

extension [DeliveryResult] {
    var largestFirst: [DeliveryResult] { sorted { ($1.size, $0.id) < ($0.size, $1.id) } }
}

/// What usually becomes known of what was sent: the median of the deliveries that tell in the same way how many were sent.
struct UsualShare {
    /// Of a delivery to which fewer were sent it is not said that it failed.
    private static let leastSent = 500
    /// Fewer deliveries have no median.
    private static let fewest = 5

    let group: DeliveryGroup
    /// The shares of the deliveries that can be judged, sorted.
    private(set) var shares: [Double] = []

    /// Nil if there are too few of them.
    var median: Double? { shares.count < UsualShare.fewest ? nil : shares.median }

    /// Whether a delivery is of this group, its logs are complete, and a later log date is loaded.
    private func judges(_ delivery: DeliveryResult, with table: DayTable) -> Bool {
        guard delivery.group == group, let sent = delivery.sent, sent >= UsualShare.leastSent,
            let day = delivery.firstDay, let last = table.loaded.last
        else { return false }
        return day < last && delivery.isWithCompleteLogs
    }

    func isFailed(_ delivery: DeliveryResult, with table: DayTable) -> Bool {
        guard let median, let share = delivery.seenRate, judges(delivery, with: table) else { return false }
        return share < median / 5
    }

    static func all(of deliveries: [DeliveryResult], with table: DayTable) -> [DeliveryGroup: UsualShare] {
        var all: [DeliveryGroup: UsualShare] = [:]
        for group in DeliveryGroup.allCases {
            var usual = UsualShare(group: group)
            usual.shares = deliveries.filter { usual.judges($0, with: table) }.compactMap(\.seenRate).sorted()
            if !usual.shares.isEmpty { all[group] = usual }
        }
        return all
    }
}

extension [Double] {
    /// The value in the middle of sorted ones, or the mean of the two there; nil for none.
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
    /// The sum. Nil for no counts at all, and for more than an integer holds: a delivery file may say anything.
    var knownSum: Int? { first.flatMap { first in dropFirst().reduce(first) { sum, count in sum?.adding(count) } } }
}

/// Deliveries whose rates may stand in one table: how many were sent is known of them in the same way, or of none.
enum DeliveryGroup: String, CaseIterable {
    case file, events
    case others = ""

    /// How it is known how many were sent.
    var caption: String {
        switch self {
        case .file: "Sent as the delivery files say"
        case .events: "Sent as the events say"
        case .others: "Sent not known"
        }
    }
}
