import Calendar
import Partitions
import SQLite

/// A delivery with messages in the period, or one that was sent in it and has none at all.
struct DeliveryResult {
    struct Counts {
        var messages = 0
        var clicked = 0
        var opened = 0

        /// Opened of messages.
        var openRate: Double? { Proportion(part: opened, whole: messages).rate }

        static func sum(_ counts: [Counts]) -> Counts {
            counts.reduce(into: Counts()) { sum, counts in
                sum.messages += counts.messages
                sum.clicked += counts.clicked
                sum.opened += counts.opened
            }
        }
    }

    let id: String
    let label: String?
    let campaign: String?
    let variant: String?
    let isInFile: Bool
    /// The day of its first message; of a delivery without any, the day that it was sent on.
    let firstDay: LogDate?
    /// The day that it was sent on, if a file says so.
    let sentDay: LogDate?
    /// Nil if no file says so, or if the delivery began before the period. Then part of its messages is not in it.
    let sent: Int?
    let delivered: Int?
    /// Whether the log dates of its first day and of the day that it was sent on are complete. Of another delivery, part of
    /// its messages is not known, so that it is not compared.
    let isWithCompleteLogs: Bool
    let counts: Counts
    /// The counts on the days that are compared with another period.
    let comparedCounts: Counts

    var day: LogDate? { sentDay ?? firstDay }

    /// Opened of sent, where that is known.
    var openRateOfSent: Double? { sent.flatMap { Proportion(part: counts.opened, whole: $0).rate } }
    /// Messages of sent, where that is known.
    var knownRate: Double? { sent.flatMap { Proportion(part: counts.messages, whole: $0).rate } }

    /// Sent or messages, whichever are more.
    var size: Int { max(sent ?? 0, counts.messages) }

    /// The name that people know, else the id.
    var name: String { label ?? id }
}

extension DeliveryResult {
    /// The deliveries of a period, in any order.
    /// - Parameter left: days that are not compared.
    static func all(
        during period: ReportPeriod, in database: Database, withoutCompared left: Set<LogDate>
    ) throws -> [DeliveryResult] {
        try database.checkEnds(of: "day", in: "daily_funnel")
        let counts = ["messages", "clicked", "opened"]
        let days = left.map { "'\($0)'" }.sorted().joined(separator: ", ")
        let sums = counts.map { "\(Database.sum($0)), sum(\($0) * (day NOT IN (\(days)))) AS compared_\($0)" }
        let complete = "SELECT log_date FROM partitions WHERE status = 'complete'"
        // A delivery without messages has no row in c.
        let selected = (counts + counts.map { "compared_\($0)" }).map {
            "CASE WHEN c.delivery_id NOT NULL THEN c.\($0) ELSE 0 END AS \($0)"
        }
        let sql = """
            SELECT r.delivery_id, r.label, r.campaign, r.variant, d.in_file, coalesce(r.first_day, r.sent_day), r.sent_day,
                r.sent, r.delivered,
                coalesce(r.first_day, r.sent_day) IN (\(complete)) AND coalesce(r.sent_day, r.first_day) IN (\(complete)),
                \(selected.joined(separator: ", "))
            FROM delivery_results r LEFT JOIN (
                SELECT delivery_id, \(sums.joined(separator: ", ")) FROM daily_funnel WHERE day BETWEEN ?1 AND ?2
                GROUP BY delivery_id) c USING (delivery_id)
            LEFT JOIN deliveries d USING (delivery_id)
            WHERE c.delivery_id NOT NULL AND c.messages IS NOT 0 OR r.first_day IS NULL AND r.sent_day BETWEEN ?1 AND ?2
            """
        var results: [DeliveryResult] = []
        try database.forEach(sql, during: period) { row in
            let firstDay = try row.optionalDate(5)
            let isWhole = firstDay.map(period.contains) ?? false
            func counts(from column: Int) throws -> Counts {
                Counts(
                    messages: try row.count(column), clicked: try row.count(column + 1),
                    opened: try row.count(column + 2))
            }
            results.append(
                DeliveryResult(
                    id: try row.read(0), label: try row.read(1), campaign: try row.read(2), variant: try row.read(3),
                    isInFile: try row.read(4) == 1, firstDay: firstDay, sentDay: try row.optionalDate(6),
                    sent: isWhole ? try row.optionalCountOfAnySize(7) : nil,
                    delivered: isWhole ? try row.optionalCountOfAnySize(8) : nil,
                    isWithCompleteLogs: row.value(9) == .int64(1), counts: try counts(from: 10),
                    comparedCounts: try counts(from: 13)))
        }
        return results
    }
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
