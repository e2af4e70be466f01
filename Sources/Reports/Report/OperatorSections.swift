/// The last part of the page: what the operator has to know, folded where nobody has to look at anything.
struct OperatorSections {
    let trust: Trust
    /// What else there is, and its name in the summary.
    var others: (names: String, markup: Markup) = ("", .nothing)

    init(trust: Trust) { self.trust = trust }

    init(figures: ReportFigures) throws {
        trust = Trust(figures: figures)
        guard figures.table.hasFigures(figures.period) else { return }
        let lateness = figures.table.isOneLoad ? nil : try ShareSection.lateness(figures)
        var markup = Markup.element("div", ["class": "pair"]) {
            ShareSection.quality(figures).markup(figures)
            lateness?.markup(figures) ?? .nothing
        }
        markup.append(try ShareSection.rejects(figures).markup(figures))
        others = (", what the apps leave out, lateness, rejects", markup)
    }

    var markup: Markup {
        .element("details", trust.isSound ? ["class": "operator"] : ["class": "operator", "open": "open"]) {
            Markup.element("summary") { "For the operator: log dates and warnings\(others.names)" }
            Markup.section("operator", "State of the log dates") {
                if !trust.operatorLines.isEmpty {
                    Markup.element("ul") { for line in trust.operatorLines { Markup.element("li") { line } } }
                }
                if !trust.table.isOneLoad { Markup.paragraph(trust.maturity) }
                trust.logDates
            }
            others.markup
        }
    }
}
