import Calendar

/// The days that a report is about, or that it compares them with.
package struct ReportPeriod: Encodable, Equatable, Sendable {
    package let first: LogDate
    package let last: LogDate
    package let count: Int

    private enum CodingKeys: String, CodingKey {
        case first = "from"
        case last = "to"
        case count = "days"
    }

    package init(first: LogDate, last: LogDate) {
        assert(first <= last)
        self.first = first
        self.last = last
        count = last.dayNumber - first.dayNumber + 1
    }

    var days: [LogDate] { (0..<count).map { first.adding(days: $0) } }

    func contains(_ day: LogDate) -> Bool { first <= day && day <= last }
}
