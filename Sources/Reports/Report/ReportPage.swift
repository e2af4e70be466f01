import Calendar

/// The page: one HTML file without scripts, which loads nothing.
struct ReportPage {
    let context: PageContext

    private var figures: ReportFigures { context.figures }
    private var period: ReportPeriod { context.period }

    func html() throws -> String {
        let sections = try sections()
        return ReportPage.html(title: "Push messages, \(DateText.range(period.first, period.last))") {
            header
            Markup.element("main") { sections }
            footer
        }
    }

    /// What is around the content of a page. The style sheet uses the system's fonts, so that nothing is loaded.
    private static func html(title: String, @Markup.Builder _ body: () -> Markup) -> String {
        let page = Markup.element("html", ["lang": "en"]) {
            Markup.element("head") {
                Markup.element("meta", ["charset": "utf-8"])
                Markup.element("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
                Markup.element("meta", ["name": "color-scheme", "content": "light dark"])
                Markup.element("title") { title }
                Markup.element("style") {
                    Markup(trusted: String(decoding: PackageResources.page_css, as: UTF8.self))
                }
            }
            Markup.element("body", [:], body)
        }
        return "<!DOCTYPE html>\n" + page.html + "\n"
    }

    /// The page of a push.db without log dates, where no days were asked for.
    static var emptyHTML: String {
        html(title: "Push messages") {
            Markup.element("header") { Markup.element("h1") { "Push messages" } }
            Markup.element("main") {
                Markup.section("trust", "Can these figures be trusted?", style: "untitled trust") {
                    Markup.paragraph(ReportText.emptySentences.joined(separator: " "), style: "lead")
                }
            }
        }
    }

    private var header: Markup {
        .element("header") {
            Markup.element("p", ["class": "over"]) { "Push messages" }
            Markup.element("h1") { DateText.range(period.first, period.last) }
            Markup.paragraph(
                NumberText.plural(period.count, "day") + comparedDays
                    + ". Days are those of \(figures.table.timeZone).",
                style: "under")
        }
    }

    private var comparedDays: String {
        guard let before = figures.before?.period, let name = context.comparedName else { return "" }
        return ", compared with \(name): \(DateText.range(before.first, before.last))"
    }

    @Markup.Builder private func sections() throws -> Markup {
        TrustSection(context: context).markup
        if figures.table.hasFigures(period) {
            FindingSection(findings: context.findings).markup
            HeadlineSection(context: context).markup
            if period.count > 1 { TrendSection(context: context).markup }
            FunnelSection(context: context).markup
            PlatformSection(context: context).markup
            try HoursSection(context: context).markup
            DelaySection(context: context).markup
            DeliverySection(context: context).markup
            VariantSection(context: context).markup
        }
        DefinitionSection(table: figures.table).markup
        if figures.table.hasFigures(period) {
            let (lateness, rejects) = (try QuerySection.lateness(context), try QuerySection.rejects(context))
            Markup.element("details", ["class": "operator"]) {
                Markup.element("summary") { "For the operator: what the apps leave out or repeat, lateness, rejects" }
                Markup.element("div", ["class": "pair"]) {
                    QualitySection(context: context).markup
                    lateness
                }
                rejects
            }
        }
    }

    private var footer: Markup {
        let outside = figures.outside
        return .element("footer") {
            if let first = outside.keys.min(), let last = outside.keys.max() {
                Markup.paragraph(
                    "Not on this page: \(NumberText.plural(outside.count, "day")) of push.db outside of these periods, "
                        + "with \(NumberText.plural(outside.values.reduce(0, +), "message")) "
                        + "(\(DateText.range(first, last))).")
            } else {
                Markup.paragraph("push.db has no days outside of these periods.")
            }
        }
    }
}
