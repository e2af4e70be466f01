import Counting
import Events

/// What the daily tables say about each delivery, over some days.
struct DeliverySums: Sendable {
    struct Sums: Sendable {
        /// Days since 1970-01-01 of the first and the last row in daily_actions; nil without rows.
        var days: ClosedRange<Int32>?
        /// The sums of daily_funnel.
        var funnel = PlatformCounts()

        static func += (sum: inout Sums, other: Sums) {
            if let days = other.days {
                let known = sum.days ?? days
                sum.days = min(known.lowerBound, days.lowerBound)...max(known.upperBound, days.upperBound)
            }
            sum.funnel += other.funnel
        }
    }

    private var sums: [ExactText: Sums] = [:]
    /// The deliveries of which push.db has other rows on these days.
    private(set) var changed: Set<ExactText> = []

    init() {}

    init(_ rows: DailyRows, _ names: EventNames) {
        var byNumber: [UInt32: Sums] = [:]
        for row in rows.actions { byNumber[row.delivery, default: Sums()] += Sums(days: row.day...row.day) }
        for row in rows.funnel { byNumber[row.delivery, default: Sums()].funnel.add(row.counts, row.platform) }
        for (number, sum) in byNumber { sums[ExactText(names.deliveries[Int(number)])] = sum }
    }

    /// Sorted.
    var deliveries: [ExactText] { sums.keys.sorted() }

    /// Without rows if the delivery has none.
    subscript(delivery: ExactText) -> Sums { sums[delivery] ?? Sums() }

    /// Adds the sums over other days.
    static func += (sum: inout DeliverySums, other: DeliverySums) {
        sum.sums.merge(other.sums) { known, new in
            var known = known
            known += new
            return known
        }
    }

    mutating func noteChanges(of deliveries: Set<ExactText>) { changed.formUnion(deliveries) }
}
