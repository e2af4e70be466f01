import Calendar

/// What the sections of a page share: the figures, and how the periods are called.
struct PageContext {
    let figures: ReportFigures
    let comparison: ReportComparison

    let headlines: [HeadlineFigure]
    let findings: Findings

    init(figures: ReportFigures, comparison: ReportComparison) {
        self.figures = figures
        self.comparison = comparison
        headlines = HeadlineFigure.all(figures)
        findings = Findings(figures: figures, comparedName: PageContext.name(comparison, figures.period))
    }

    var period: ReportPeriod { figures.period }

    /// `28 days before`, `a week earlier`; nil if nothing is compared.
    var comparedName: String? { PageContext.name(comparison, period) }

    private static func name(_ comparison: ReportComparison, _ period: ReportPeriod) -> String? {
        switch comparison {
        case .previous: NumberText.plural(period.count, "day").replacing(" ", with: "\u{A0}") + " before"
        case .week: "a week earlier"
        case .none: nil
        }
    }

    /// The heading of a column with figures of the compared period.
    var comparedColumn: String { comparedName ?? "before" }

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
