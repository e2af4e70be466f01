import Calendar
import Messages
import Output
import Partitions
import Posix

/// A page for each week and each month of push.db in a folder, and an index of them:
///
///     index.html       a calendar with a link to each page
///     2026-11.html     a month
///     2026/W47.html    a week
///
/// Each file depends on push.db and on what is compared alone. So nothing has to be kept of the nights before: all pages are
/// made, and a file is written only if its bytes are others. What else lies in the folder is left alone.
package struct ReportArchive: Sendable {
    private let folder: String
    private let comparison: ReportComparison

    /// - Parameter folder: created if it does not exist.
    package init(in folder: String, comparison: ReportComparison) {
        self.folder = folder
        self.comparison = comparison
    }

    /// Returns what was done with each file. The index is the last, so that what it links to is there.
    /// - Throws: `Fault` or `WarehouseError`. If a file of others is in the way, nothing is written. The
    ///   files that were renamed before remain; each is whole.
    package func write(_ output: OutputDatabase, _ workers: some Workers) throws -> [ExportedFile] {
        let index = try output.reporting { ArchiveIndex(table: try DayTable(in: $0)) }
        let pages = index.pages
        for place in Set([folder] + pages.map { Folder.parent(of: path($0)) }).sorted() {
            try ExportFolder.archive.check(place)
        }
        for path in pages.map(path) + [indexPath] { try ExportFolder.archive.check(path, isOurs: ReportPage.isPage) }
        // Each page is read in a transaction of its own, so that no command has to wait long for push.db.
        let files = try workers.map(pages.count) { number in
            if output.isStopped() { throw Fault.exportStopped }
            let request = ReportRequest(pages[number], comparison: comparison)
            return try write(Report(of: output) { _ in request }.html, to: path(pages[number]))
        }
        return files + [try write(index.html, to: indexPath)]
    }

    private var indexPath: String { "\(folder)/index.html" }

    private func path(_ page: ArchivedPeriod) -> String { "\(folder)/\(page.path)" }

    private func write(_ html: String, to path: String) throws(Fault) -> ExportedFile {
        try ExportFolder.archive.write(Array(html.utf8), to: path, isOurs: ReportPage.isPage)
    }
}

/// The index of an archive: a calendar of the log dates, with a link to the page of each week and month that has ended.
struct ArchiveIndex {
    private let table: DayTable
    /// Those with figures, from the first log date to the last.
    private let weeks: [ArchivedPeriod]
    private let months: [ArchivedPeriod]

    init(table: DayTable) {
        self.table = table
        func all(_ make: (LogDate) -> ArchivedPeriod) -> [ArchivedPeriod] {
            guard var day = table.loaded.first, let last = table.loaded.last else { return [] }
            var all: [ArchivedPeriod] = []
            while day <= last {
                all.append(make(day))
                day = all[all.count - 1].period.last.adding(days: 1)
            }
            return all.filter { table.hasFigures($0.period) }
        }
        weeks = all(ArchivedPeriod.week)
        months = all(ArchivedPeriod.month)
    }

    /// Those that have a page: their last day is not after the last log date.
    var pages: [ArchivedPeriod] { (weeks + months).filter(hasPage) }

    private func hasPage(_ place: ArchivedPeriod) -> Bool {
        table.loaded.last.map { place.period.last <= $0 } ?? false
    }

    var html: String {
        guard let first = table.loaded.first, let last = table.loaded.last else { return ReportPage.emptyHTML }
        let years = Set(months.map(\.period.first.year)).sorted(by: >)
        return ReportPage.html(title: "Push messages", style: ReportPage.style + ArchiveIndex.style) {
            Markup.element("header") {
                Markup.paragraph("Push messages", style: "over")
                Markup.element("h1") { "All weeks and months" }
                Markup.paragraph(
                    "Log dates of \(DateText.range(first, last)). Days are those of \(table.timeZone). W: complete, with "
                        + "warnings. P: partial. H: held back. M: missing.", style: "under")
            }
            Markup.element("main") {
                for year in years {
                    Markup.section("y\(year)", String(year)) {
                        Markup.element("div", ["class": "months"]) {
                            for month in months.reversed() where month.period.first.year == year { calendar(of: month) }
                        }
                    }
                }
            }
        }
    }

    /// A month: a line for each of its weeks.
    private func calendar(of month: ArchivedPeriod) -> Markup {
        let weeks = weeks.filter { $0.period.first <= month.period.last && month.period.first <= $0.period.last }
        let days = (0..<7).map { weekday in
            DataTable.Column<ArchivedPeriod>.markup(DateText.weekdays[weekday], isText: false) { week in
                let day = week.period.first.adding(days: weekday)
                return month.period.contains(day) ? field(day) : Markup(text: "\u{A0}")
            }
        }
        return .element("div", ["class": "month"]) {
            Markup.element("h3") { link(month, month.name) }
            DataTable(month.name, of: weeks, [.markup("week") { link($0, String($0.name.suffix(3))) }] + days).markup
        }
    }

    private func link(_ place: ArchivedPeriod, _ text: String) -> Markup {
        hasPage(place) ? .element("a", ["href": place.path]) { text } : Markup(text: text)
    }

    private func field(_ day: LogDate) -> Markup {
        let field = table.field(day)
        let mark = field.letter.isEmpty ? "" : "\u{A0}\(field.letter)"
        return .element("span", ["class": "day \(field.style)"]) { "\(day.day)\(mark)" }
    }

    /// What the report's style sheet lacks.
    private static let style = """
        .months{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:24px 40px}
        .month{break-inside:avoid}.month h3{margin:0}.month table{width:100%}
        .month th,.month td{padding:4px 0 4px 4px}.month th:first-child{min-width:40px}
        .day{display:inline-block;min-width:30px;padding:0 2px;border-radius:4px}
        .day.complete{background:var(--tint)}.day.young{background:var(--band)}
        .day.fault{background:var(--amber);font-weight:600}.day.gap{color:var(--soft)}
        """
}
