import Calendar
import Messages

/// What a report is about: days, a campaign or a delivery.
package struct ReportRequest: Sendable {
    /// The number of days if no period was asked for.
    private static let usualDays = 28
    /// About ten years. Every day is a row of the page's tables.
    static let mostDays = 3660
    private static let usualTitle = "Push messages"

    package let first: LogDate?
    package let last: LogDate?
    package let comparison: ReportComparison
    /// Nil for a page about days.
    let subject: ReportSubject?
    /// The line above the page's title.
    let title: String
    /// Whether push.db was made for this report, of a few files as one log date.
    let isOneLoad: Bool
    /// The place of the page in an archive; nil for a page that stands alone.
    private(set) var place: ArchivedPage?

    package init(
        first: LogDate? = nil, last: LogDate? = nil, comparison: ReportComparison = .previous,
        of subject: ReportSubject? = nil, title: String? = nil, isOneLoad: Bool = false
    ) {
        self.first = first
        self.last = last
        self.comparison = comparison
        self.subject = subject
        self.isOneLoad = isOneLoad
        self.title = title ?? ReportRequest.usualTitle
    }

    init(_ place: ArchivedPage, comparison: ReportComparison, title: String?) {
        self.init(
            first: place.period?.first, last: place.period?.last, comparison: comparison, of: place.subject,
            title: title)
        self.place = place
    }

    /// The period: by default, the 28 days up to the last log date. Nil if nothing is loaded and no days were asked
    /// for.
    func period(of table: DayTable) throws(Fault) -> ReportPeriod? {
        let usual = ReportRequest.usualDays - 1
        guard let last = last ?? table.lastDay ?? first?.adding(days: usual) else { return nil }
        let first = first ?? max(table.firstDay ?? LogDate.written.lowerBound, last.adding(days: -usual))
        // The first day may be after the last log date if only the first day was given.
        guard first <= last else {
            throw Fault(
                .usage,
                text: "the first day, \(first), is after the last one, \(last); give --to, or an earlier --from.",
                exitStatus: .badData)
        }
        let period = ReportPeriod(first: first, last: last)
        guard period.count <= ReportRequest.mostDays else {
            let most = Text.number(ReportRequest.mostDays)
            throw Fault(
                .usage, text: "\(first) to \(last) is too long for a page; give at most \(most) days.",
                exitStatus: .badData)
        }
        return period
    }
}
