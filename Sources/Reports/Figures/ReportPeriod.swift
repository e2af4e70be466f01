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
        (self.first, self.last) = (first, last)
        count = last.dayNumber - first.dayNumber + 1
    }

    var days: [LogDate] { (0..<count).map { first.adding(days: $0) } }

    func contains(_ day: LogDate) -> Bool { first <= day && day <= last }
}

/// A campaign or a delivery that has a page of its own.
package enum ReportSubject: Equatable, Sendable {
    case campaign(String)
    case delivery(String)

    var isCampaign: Bool {
        switch self {
        case .campaign: true
        case .delivery: false
        }
    }

    var kind: String { isCampaign ? "campaign" : "delivery" }

    /// The name of the campaign, or the id of the delivery.
    var name: String {
        switch self {
        case .campaign(let name), .delivery(let name): name
        }
    }
}

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
