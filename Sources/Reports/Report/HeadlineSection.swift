/// The figures that people look at first.
struct HeadlineSection {
    let context: PageContext

    private var figures: ReportFigures { context.figures }

    var markup: Markup {
        .section("headline", "In short", style: "untitled") {
            Markup.element("dl", ["class": "cards", "style": "--columns:\(context.headlines.count)"]) {
                for headline in context.headlines { card(headline) }
            }
            if let sentNote { Markup.paragraph(sentNote, style: "note") }
            if context.isProvisional {
                Markup.paragraph("Provisional: late hits can still add to these figures.", style: "note")
            }
            table.folded()
        }
    }

    private func card(_ headline: HeadlineFigure) -> Markup {
        .element("div", ["class": "card"]) {
            Markup.element("dt") { headline.name }
            Markup.element("dd", ["class": "big"]) { headline.value?.rounded ?? NumberText.none }
            if let detail = headline.detail { Markup.element("dd") { detail } }
            if let former = headline.formerValue {
                Markup.element("dd", ["class": "change"]) {
                    Markup.element("b") { headline.change }
                    " " + context.base(of: former)
                }
            } else if figures.before != nil {
                Markup.element("dd", ["class": "change"]) { "not comparable" }
            }
        }
    }

    /// Which deliveries what was sent is known of.
    private var sentNote: String? {
        let deliveries = figures.now.deliveries
        let sent = figures.now.sent(on: context.period.days)
        guard !sent.isEmpty else { return nil }
        let delivered = sent.filter { $0.delivered != nil }.count
        return "Sent is that of the \(NumberText.exact(sent.count)) of "
            + "\(NumberText.plural(deliveries.count, "delivery", "deliveries")) that began in this period and whose file "
            + "says it\(delivered > 0 && delivered < sent.count ? "; delivered is that of \(NumberText.exact(delivered))" : "")."
            + " Opened of sent is of these."
    }

    private var table: DataTable {
        let isCompared = figures.before != nil
        let (days, all) = (figures.comparableDays.count, context.period.count)
        let isPartly = isCompared && days < all
        return DataTable(
            "headline figures, exact", of: context.headlines,
            [
                .text("figure") { $0.name },
                .number("days") { _ in NumberText.exact(all) },
                .number("this period") { $0.value?.exact ?? NumberText.none },
                .number("days compared", if: isPartly) { _ in NumberText.exact(days) },
                .number("on these days", if: isPartly) { $0.comparedValue?.exact ?? NumberText.none },
                .number(context.comparedColumn, if: isCompared) { $0.formerValue?.exact ?? NumberText.none },
                .number("change", if: isCompared) { $0.change },
            ])
    }
}
