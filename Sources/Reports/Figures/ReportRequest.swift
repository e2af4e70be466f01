import Calendar
import Messages

/// The days that were asked for.
package struct ReportRequest: Sendable {
    /// The days of a period that nobody has chosen.
    private static let usualDays = 28
    /// About ten years. Every day is a row of the page's tables.
    package static let mostDays = 3660

    package let first: LogDate?
    package let last: LogDate?
    package let comparison: ReportComparison
    /// The place of the page in an archive; nil for a page that stands alone.
    let place: ArchivedPeriod?

    package init(first: LogDate? = nil, last: LogDate? = nil, comparison: ReportComparison = .previous) {
        self.first = first
        self.last = last
        self.comparison = comparison
        place = nil
    }

    init(_ place: ArchivedPeriod, comparison: ReportComparison) {
        first = place.period.first
        last = place.period.last
        self.comparison = comparison
        self.place = place
    }

    /// The period, by default 28 days that end with the last log date; nil if there is neither.
    func period(lastLogDate: LogDate?) throws(Fault) -> ReportPeriod? {
        let usual = ReportRequest.usualDays - 1
        guard let last = last ?? lastLogDate ?? first?.adding(days: usual) else { return nil }
        let first = first ?? last.adding(days: -usual)
        // Also where only the first day was given, and the last log date is before it.
        guard first <= last else {
            throw Fault(
                "usage", "the first day, \(first), is after the last one, \(last); give --to, or an earlier --from.",
                .badData)
        }
        let period = ReportPeriod(first: first, last: last)
        guard period.count <= ReportRequest.mostDays else {
            let most = Text.number(ReportRequest.mostDays)
            throw Fault("usage", "\(first) to \(last) is too long for a page; give at most \(most) days.", .badData)
        }
        return period
    }
}

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

/// A week or a month that has a page in an archive.
struct ArchivedPeriod: Equatable, Sendable {
    let period: ReportPeriod
    /// `2026-W47`, `Nov 2026`
    let name: String
    /// The page in the archive's folder: `2026/W47.html`, `2026-11.html`.
    let path: String

    /// The path of the archive's index, from the page.
    var indexPath: String { path.contains("/") ? "../index.html" : "index.html" }

    /// The week of ISO 8601, from Monday to Sunday. It belongs to the year that its Thursday is in.
    static func week(of day: LogDate) -> ArchivedPeriod {
        let first = day.adding(days: 1 - day.weekday)
        let name = CalendarText.isoWeek(ofDay: Int32(day.dayNumber))
        return ArchivedPeriod(
            period: ReportPeriod(first: first, last: first.adding(days: 6)), name: name,
            path: "\(name.replacing("-", with: "/")).html")
    }

    static func month(of day: LogDate) -> ArchivedPeriod {
        let first = day.adding(days: 1 - day.day)
        let last = first.adding(days: CivilCalendar.days(inMonth: day.month, of: day.year) - 1)
        return ArchivedPeriod(
            period: ReportPeriod(first: first, last: last), name: DateText.month(day),
            path: "\(day.description.prefix(7)).html")
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
        weeks(for: period).map {
            ReportPeriod(first: period.first.adding(days: -7 * $0), last: period.last.adding(days: -7 * $0))
        }
    }
}
