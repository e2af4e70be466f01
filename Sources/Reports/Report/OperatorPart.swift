extension Markup {
    /// The last part of a page, for the operator. It is folded if nothing needs attention.
    /// - Parameter others: further sections, and their names in the summary.
    static func operatorPart(_ trust: Trust, others: (names: String, sections: Markup) = ("", .nothing)) -> Markup {
        element("details", with: trust.isSound ? ["class": "operator"] : ["class": "operator", "open": "open"]) {
            element("summary") { "For the operator: log dates and warnings\(others.names)" }
            PageSection("operator", title: "State of the log dates") {
                if !trust.operatorLines.isEmpty {
                    element("ul") { for line in trust.operatorLines { element("li") { line } } }
                }
                if !trust.table.isOneLoad { paragraph(trust.maturity) }
                trust.logDates
            }
            others.sections
        }
    }

    /// The operator's part of a page about days, which also shows the behaviour of apps and network.
    static func operatorPart(of figures: ReportFigures) throws -> Markup {
        let trust = Trust(of: figures)
        guard figures.table.hasFigures(during: figures.period) else { return operatorPart(trust) }
        let lateness = figures.table.isOneLoad ? nil : try PageSection.lateness(of: figures)
        let rejects = try PageSection.rejects(of: figures)
        let sections = [
            element("div", with: ["class": "pair"]) {
                PageSection.quality(of: figures)
                if let lateness { lateness }
            }, rejects.markup,
        ]
        return operatorPart(
            trust, others: (", what the apps leave out, lateness, rejects", Builder.buildArray(sections)))
    }
}
