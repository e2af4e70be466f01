/// What the figures of a period are compared with.
package enum ReportComparison: String, CaseIterable, Sendable {
    /// As many days before.
    case previous
    /// The same days a week earlier.
    case week
    /// Nothing.
    case none

    func period(for period: ReportPeriod) -> ReportPeriod? {
        switch self {
        case .previous: period.moved(by: -period.count)
        case .week: period.moved(by: -7)
        case .none: nil
        }
    }
}
