import Calendar
import Messages
import Output
import Partitions
import Posix
import SQLite

/// A page for each week, month and campaign of push.db in a folder, and an index of them:
///
///     index.html                                a calendar and the latest campaigns, with a link to each page
///     2026-11.html                              a month
///     2026/W47.html                             a week
///     campaigns/Black_Friday-1f2e3d4c.html      a campaign
///
/// Each file depends only on push.db and the comparison. So no state is kept between nights: all pages are made, and
/// only those with other bytes are written. Other files in the folder are left alone.
package struct ReportArchive: Sendable {
    private let folder: String
    private let comparison: ReportComparison
    private let title: String?

    /// - Parameter folder: created if it does not exist.
    package init(in folder: String, comparison: ReportComparison, title: String? = nil) {
        self.folder = folder
        self.comparison = comparison
        self.title = title
    }

    /// Returns what was done with each file. The index is written last, so that all its links work.
    /// - Throws: `Fault` or `OutputError`. If a file that is not ours is in the way, nothing is written. Files that
    ///   were renamed before the error remain. Each of them is complete.
    package func write(_ output: OutputDatabase, with workers: some Workers) throws -> [ExportedFile] {
        let index = try output.reading(else: Fault.withoutReport) {
            ArchiveIndex(
                table: try DayTable(in: $0), campaigns: try ArchivedCampaign.all(in: $0),
                title: ReportRequest(title: title).title)
        }
        let pages = index.pages
        assert(Set(pages.map(\.path)).count == pages.count, "two pages have one path")
        try ExportFolder.archive.check((pages.map(\.path) + [ArchiveIndex.path]).map(file), in: folder)
        // Each page is read in a transaction of its own, so that no command has to wait long for push.db.
        let files = try workers.map(pages.count) { number in
            if output.isStopped() { throw Fault.exportStopped }
            let request = ReportRequest(pages[number], comparison: comparison, title: title)
            return try write(Report(of: output) { _ in request }.html, to: pages[number].path)
        }
        return files + [try write(index.html, to: ArchiveIndex.path)]
    }

    private func file(_ path: String) -> OwnFile { OwnFile(path: "\(folder)/\(path)", isOurs: ReportPage.isPage) }

    private func write(_ html: String, to path: String) throws -> ExportedFile {
        try ExportFolder.archive.write(Array(html.utf8), to: file(path))
    }
}

/// A campaign that has a page in an archive.
struct ArchivedCampaign {
    let name: String
    /// The days on which the first and the last of its deliveries began.
    let first: LogDate
    let last: LogDate
    let deliveries: Int

    /// All campaigns, the latest first.
    static func all(in database: Database) throws -> [ArchivedCampaign] {
        try database.rows(Question.page("campaigns")) { row in
            ArchivedCampaign(
                name: try row.read(0), first: try row.date(1), last: try row.date(2), deliveries: try row.count(3))
        }
    }
}

/// The index of an archive. It has a calendar of the log dates with links to the pages of all weeks and months that
/// have ended, and links to the latest campaigns.
struct ArchiveIndex {
    /// The number of days for which a campaign is listed after its last delivery began.
    private static let listedDays = 90
    fileprivate static let path = "index.html"

    private let table: DayTable
    private let campaigns: [ArchivedCampaign]
    private let title: String
    /// The weeks and months with figures, from the first log date to the last.
    private let weeks: [ArchivedPage]
    private let months: [ArchivedPage]

    init(table: DayTable, campaigns: [ArchivedCampaign], title: String) {
        self.table = table
        self.title = title
        self.campaigns = campaigns.filter { campaign in table.loaded.last.map { campaign.last <= $0 } ?? false }
        func all(_ make: (LogDate) -> ArchivedPage) -> [ArchivedPage] {
            guard var day = table.loaded.first, let last = table.loaded.last else { return [] }
            var all: [ArchivedPage] = []
            while day <= last {
                let page = make(day)
                all.append(page)
                day = page.period?.last.adding(days: 1) ?? last.adding(days: 1)
            }
            return all.filter { $0.period.map(table.hasFigures(during:)) ?? false }
        }
        weeks = all(ArchivedPage.week)
        months = all(ArchivedPage.month)
    }

    /// The pages that exist. A week or month has a page once its last day is not after the last loaded log date.
    var pages: [ArchivedPage] {
        (weeks + months).filter(hasPage) + campaigns.map { ArchivedPage.campaign($0.name) }
    }

    private func hasPage(_ place: ArchivedPage) -> Bool {
        guard let last = place.period?.last, let loaded = table.loaded.last else { return false }
        return last <= loaded
    }

    var html: String {
        guard let first = table.loaded.first, let last = table.loaded.last else {
            return ReportPage.empty(title: title)
        }
        let years = Set(months.compactMap(\.period?.first.year)).sorted(by: >)
        return ReportPage.html(title: title, style: ReportPage.style + ArchiveIndex.style) {
            Markup.element("header") {
                Markup.paragraph(title, style: "over")
                Markup.element("h1") { "All weeks, months and campaigns" }
                Markup.paragraph(
                    "Log dates of \(DateText.range(first, to: last)). Days are those of \(table.timeZone). "
                        + LoadState.legend(of: Set(LoadState.allCases), withWarnings: true),
                    style: "under")
            }
            Markup.element("main") {
                campaignList(until: last)
                for year in years {
                    PageSection("y\(year)", title: String(year)) {
                        Markup.element("div", with: ["class": "months"]) {
                            for month in months.reversed() where month.period?.first.year == year {
                                calendar(of: month)
                            }
                        }
                    }
                }
            }
        }
    }

    @Markup.Builder private func campaignList(until last: LogDate) -> Markup {
        let latest = campaigns.filter { last.dayNumber - $0.last.dayNumber < ArchiveIndex.listedDays }
        if !latest.isEmpty {
            PageSection("campaigns", title: "Campaigns of the last \(ArchiveIndex.listedDays) days") {
                DataTable(
                    "campaigns", of: latest,
                    columns: [
                        .markup("campaign") { campaign in
                            Markup.element("a", with: ["href": ArchivedPage.campaign(campaign.name).path]) {
                                Markup.name(campaign.name)
                            }
                        },
                        .text("first delivery") { DateText.long($0.first) },
                        .text("last delivery") { DateText.long($0.last) },
                        .count("deliveries") { $0.deliveries },
                    ]
                ).begun(rows: 20)
            }
        }
    }

    /// The calendar of a month, with a line for each week.
    private func calendar(of month: ArchivedPage) -> Markup {
        guard let period = month.period else { return .nothing }
        let weeks = weeks.compactMap { week in week.period.map { (week: week, days: $0) } }
            .filter { $0.days.first <= period.last && period.first <= $0.days.last }
        let days = (0..<7).map { weekday in
            DataTable.Column<(week: ArchivedPage, days: ReportPeriod)>.markup(
                DateText.weekdays[weekday], isText: false
            ) { week in
                let day = week.days.first.adding(days: weekday)
                return period.contains(day) ? field(of: day) : Markup("\u{A0}")
            }
        }
        return .element("div", with: ["class": "month"]) {
            Markup.element("h3") { link(to: month, named: month.name) }
            DataTable(
                month.name, of: weeks,
                columns: [.markup("week") { link(to: $0.week, named: String($0.week.name.suffix(3))) }] + days)
        }
    }

    private func link(to place: ArchivedPage, named text: String) -> Markup {
        hasPage(place) ? .element("a", with: ["href": place.path]) { text } : Markup(text)
    }

    private func field(of day: LogDate) -> Markup {
        let field = table.field(day)
        let mark = field.letter.isEmpty ? "" : "\u{A0}\(field.letter)"
        return .element("span", with: ["class": "day \(field.style)"]) { "\(day.day)\(mark)" }
    }

    /// Styles for the index alone.
    private static let style = """
        .months{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:24px 40px}
        .month{break-inside:avoid}.month h3{margin:0}.month table{width:100%}
        .month th,.month td{padding:4px 0 4px 4px}.month th:first-child{min-width:40px}
        .day{display:inline-block;min-width:30px;padding:0 2px;border-radius:4px}
        .day.complete{background:var(--tint)}.day.young{background:var(--band)}
        .day.fault{background:var(--amber);font-weight:600}.day.gap{color:var(--soft)}
        """
}
