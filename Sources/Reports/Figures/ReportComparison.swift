/// What the figures of a period are compared with.
package enum ReportComparison: String, CaseIterable, Sendable {
    /// As many days before, on the same weekdays.
    case previous
    /// The same days a week earlier.
    case week
    /// Nothing.
    case none

    /// How many whole weeks earlier the compared days are, so that weekdays meet weekdays: as few as keep the periods apart.
    func weeks(for period: ReportPeriod) -> Int? {
        switch self {
        case .previous: (period.count + 6) / 7
        case .week: 1
        case .none: nil
        }
    }

    func period(for period: ReportPeriod) -> ReportPeriod? {
        weeks(for: period).map { period.moved(by: -7 * $0) }
    }
}
