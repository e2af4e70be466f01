import Calendar

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
