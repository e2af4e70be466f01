/// The last part of a page: what the operator has to know, folded where nobody has to look at anything.
struct OperatorPart {
    let trust: Trust
    /// What else there is, and its name in the summary.
    var others: (names: String, markup: Markup) = ("", .nothing)

    init(trust: Trust) { self.trust = trust }

    init(of figures: ReportFigures) throws {
        trust = Trust(of: figures)
        guard figures.table.hasFigures(during: figures.period) else { return }
        let lateness = figures.table.isOneLoad ? nil : try Section.lateness(of: figures)
        var markup = Markup.element("div", with: ["class": "pair"]) {
            Section.quality(of: figures)
            if let lateness { lateness }
        }
        markup.append(try Section.rejects(of: figures).markup)
        others = (", what the apps leave out, lateness, rejects", markup)
    }

    var markup: Markup {
        let isFolded = trust.isSound
        return .element("details", with: isFolded ? ["class": "operator"] : ["class": "operator", "open": "open"]) {
            Markup.element("summary") { "For the operator: log dates and warnings\(others.names)" }
            Section("operator", title: "State of the log dates") {
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
