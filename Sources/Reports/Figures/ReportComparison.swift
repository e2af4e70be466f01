/// What the figures of a period are compared with.
package enum ReportComparison: String, CaseIterable, Sendable {
    /// As many days before, on the same weekdays.
    case previous
    /// The same days a week earlier.
    case week
    /// The same days 52 weeks earlier, on the same weekdays.
    case year
    /// Nothing.
    case none

    /// How many whole weeks earlier the compared days are, so that weekdays meet weekdays: as few as keep the periods apart.
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
