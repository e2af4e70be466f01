import Calendar

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
            DataTable.Column<ArchivedPeriod>.number(DateText.weekdays[weekday]) { week in
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
