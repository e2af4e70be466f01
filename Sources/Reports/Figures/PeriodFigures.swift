import Calendar
import Counting

/// The figures of a period.
struct PeriodFigures {
    struct Late {
        var events = 0
        var duplicates = 0
    }

    let period: ReportPeriod
    /// The rows of `daily_totals`.
    var totals: [LogDate: [String: Totals]] = [:]
    /// Opens by weekday, Monday first, and hour.
    var opens = [[Int]](repeating: [Int](repeating: 0, count: 24), count: 7)
    /// Events by action and hour.
    var hours: [String: [Int]] = [:]
    /// Those with messages in the period, and those that were sent in it and have none, in any order.
    var deliveries: [DeliveryResult] = []
    /// Events by `days_late`.
    var lateness: [Int: Late] = [:]
    /// Rejected records of the period's log dates, by reason.
    var rejects: [String: Int] = [:]
    var records = 0
    var filtered = 0

    init(_ period: ReportPeriod) {
        self.period = period
    }

    var rejected: Int { rejects.values.reduce(0, +) }

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
