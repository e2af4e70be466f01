import Calendar

/// The days that were asked for.
package struct ReportRequest: Sendable {
    /// The days of a period that nobody has chosen.
    private static let usualDays = 28
    /// About ten years. Every day is a row of the page's tables.
    package static let mostDays = 3660

    package let first: LogDate?
    package let last: LogDate?
    package let comparison: ReportComparison

    package init(first: LogDate? = nil, last: LogDate? = nil, comparison: ReportComparison = .previous) {
        self.first = first
        self.last = last
        self.comparison = comparison
    }

    /// The period, by default 28 days that end with the last log date; nil if there is neither.
    func period(lastLogDate: LogDate?) throws(ReportError) -> ReportPeriod? {
        let usual = ReportRequest.usualDays - 1
        guard let last = last ?? lastLogDate ?? first?.adding(days: usual) else { return nil }
        let first = first ?? last.adding(days: -usual)
        guard first <= last else { throw .endsBeforeItBegins(first: first, last: last) }
        let period = ReportPeriod(first: first, last: last)
        guard period.count <= ReportRequest.mostDays else { throw .tooLong(first: first, last: last) }
        return period
    }
}
