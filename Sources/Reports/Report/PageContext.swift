import Calendar
import SQLite

/// What the sections of a page share: the figures, and how the periods are called.
struct PageContext {
    /// For figures that only one section shows.
    let database: Database
    let figures: ReportFigures
    /// `4 weeks earlier`; nil if nothing is compared.
    let comparedName: String?
    let headlines: [HeadlineFigure]
    let findings: Findings

    init(_ database: Database, _ figures: ReportFigures, _ comparison: ReportComparison) {
        self.database = database
        self.figures = figures
        comparedName = comparison.weeks(for: figures.period).map {
            $0 == 1 ? "a week earlier" : "\(NumberText.exact($0)) weeks earlier"
        }
        headlines = HeadlineFigure.all(figures)
        findings = Findings(figures: figures, comparedName: comparedName)
    }

    var period: ReportPeriod { figures.period }

    /// The heading of a column with figures of the compared period.
    var comparedColumn: String { comparedName ?? "before" }

    /// What the change of a headline starts from. Beside a count of more days, the former count would mislead.
    func base(of former: HeadlineFigure.Value) -> String {
        let days = figures.comparableDays.count
        return days < period.count
            ? "on \(NumberText.exact(days)) of \(NumberText.plural(period.count, "day"))" : "from \(former.rounded)"
    }

    /// What is to be known about the figures of a day: `partial`, `not loaded`, `provisional` or `final`.
    func state(_ day: LogDate) -> String {
        let table = figures.table
        if !table.isComplete(day) { return table.isLoaded(day) ? "partial" : "not loaded" }
        guard table.days[day] != nil else { return "no events" }
        return table.isFinal(day) ? "final" : "provisional"
    }

    /// Whether a day of the period, or of those compared, still grows.
    var isProvisional: Bool {
        (period.days + (figures.before?.period.days ?? [])).contains {
            figures.table.days[$0] != nil && !figures.table.isFinal($0)
        }
    }

    /// The days whose figures still grow most, by their place in the period.
    var growing: Set<Int> {
        Set(period.days.indices.filter { !figures.table.isMature(period.days[$0]) })
    }
}
