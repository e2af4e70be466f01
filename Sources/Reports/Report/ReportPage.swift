import Calendar

/// The page: one HTML file without scripts, which loads nothing.
struct ReportPage {
    let context: PageContext

    private var figures: ReportFigures { context.figures }
    private var period: ReportPeriod { context.period }

    var html: String {
        let title = "Push messages, \(DateText.range(period.first, period.last))"
        return PageFrame.html(title: title) {
            header
            Markup.element("main") { sections }
            footer
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

    @Markup.Builder private var sections: Markup {
        TrustSection(context: context).markup
        if figures.table.hasFigures(period) {
            FindingSection(context: context).markup
            HeadlineSection(context: context).markup
            if period.count > 1 { TrendSection(context: context).markup }
            FunnelSection(context: context).markup
            PlatformSection(context: context).markup
            HoursSection(context: context).markup
            DelaySection(context: context).markup
            DeliverySection(context: context).markup
            VariantSection(context: context).markup
        }
        DefinitionSection(context: context).markup
        if figures.table.hasFigures(period) {
            Markup.element("details", ["class": "operator"]) {
                Markup.element("summary") { "For the operator: what the apps leave out or repeat, lateness, rejects" }
                Markup.element("div", ["class": "pair"]) {
                    QualitySection(context: context).markup
                    LatenessSection(context: context).markup
                }
                RejectSection(context: context).markup
            }
        }
    }

    private var footer: Markup {
        let outside = figures.outside
        return .element("footer") {
            if let first = outside.first, let last = outside.last {
                Markup.paragraph(
                    "Not on this page: \(NumberText.plural(outside.count, "day")) of push.db outside of these periods, "
                        + "with \(NumberText.plural(outside.messages, "message")) (\(DateText.range(first, last))).")
            } else {
                Markup.paragraph("push.db has no days outside of these periods.")
            }
        }
    }
}
