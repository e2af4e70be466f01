/// The period with which a report compares its own.
package enum ReportComparison: String, CaseIterable, Sendable {
    /// The same number of days before, on the same weekdays.
    case previous
    /// The same days a week earlier.
    case week
    /// The same days 52 weeks earlier, on the same weekdays.
    case year
    case none

    /// By how many weeks the compared days are earlier. Whole weeks keep the weekdays; the number is the smallest at
    /// which the periods do not overlap.
    func weeks(for period: ReportPeriod) -> Int? {
        switch self {
        case .previous: (period.count + 6) / 7
        case .week: 1
        case .year: 52
        case .none: nil
        }
    }

    func period(for period: ReportPeriod) -> ReportPeriod? {
        weeks(for: period).map {
            ReportPeriod(first: period.first.adding(days: -7 * $0), last: period.last.adding(days: -7 * $0))
        }
    }
}
