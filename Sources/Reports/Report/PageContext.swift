import Calendar

/// What the sections of a page share: the figures, and how the periods are called.
struct PageContext {
    let figures: ReportFigures
    let comparison: ReportComparison

    var period: ReportPeriod { figures.period }

    /// `28 days before`, `a week earlier`; nil if nothing is compared.
    var comparedName: String? {
        switch comparison {
        case .previous: NumberText.plural(period.count, "day").replacing(" ", with: "\u{A0}") + " before"
        case .week: "a week earlier"
        case .none: nil
        }
    }

    /// The heading of a column with figures of the compared period.
    var comparedColumn: String { comparedName ?? "before" }

    /// `provisional` or `final`, of a day with figures.
    func state(_ day: LogDate) -> String {
        guard figures.table.days[day] != nil else { return "no events" }
        return figures.table.isFinal(day) ? "final" : "provisional"
    }

    /// The days whose figures still grow most, by their place in the period.
    var growing: Set<Int> {
        Set(period.days.indices.filter { !figures.table.isMature(period.days[$0]) })
    }
}
