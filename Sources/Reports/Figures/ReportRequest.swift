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

/// Why there is no report.
package enum ReportError: Error, Equatable {
    case noOutput(path: String)
    /// push.db is of an earlier version of the program and lacks tables.
    case earlierSchema(path: String)
    /// Also where only the first day was given, and the last log date is before it.
    case endsBeforeItBegins(first: LogDate, last: LogDate)
    case tooLong(first: LogDate, last: LogDate)
}

/// The days that a report is about, or that it compares them with.
package struct ReportPeriod: Equatable, Sendable {
    package let first: LogDate
    package let last: LogDate

    package init(first: LogDate, last: LogDate) {
        self.first = first
        self.last = last
    }

    package var count: Int { last.dayNumber - first.dayNumber + 1 }
    var days: [LogDate] { (0..<count).map { first.adding(days: $0) } }

    func contains(_ day: LogDate) -> Bool { first <= day && day <= last }

    func moved(by days: Int) -> ReportPeriod {
        ReportPeriod(first: first.adding(days: days), last: last.adding(days: days))
    }
}

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
