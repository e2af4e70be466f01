/// What stands out, each with a link to the section that shows more.
struct FindingSection {
    let findings: Findings

    var markup: Markup {
        let all = findings.all
        return .section("findings", "What stands out") {
            if all.isEmpty {
                Markup.paragraph(findings.nothing)
            } else {
                Markup.element("ul") { for finding in all { Markup.element("li") { line(finding) } } }
            }
        }
    }

    @Markup.Builder private func line(_ finding: Finding) -> Markup {
        for part in finding.parts {
            switch part {
            case .text(let text): Markup(text: text)
            case .name(let name): Markup.element("b", ["class": "name"]) { Markup.data(name) }
            }
        }
        " "
        Markup.element("a", ["href": "#" + finding.section]) { "See " + finding.section }
    }
}
