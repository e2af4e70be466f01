import Counting

/// The figures that people look at first.
struct HeadlineSection {
    let context: PageContext

    private var figures: ReportFigures { context.figures }

    var markup: Markup {
        .section("headline", "In short", style: "untitled") {
            Markup.element("dl", ["class": "cards", "style": "--columns:\(context.headlines.count)"]) {
                for headline in context.headlines { card(headline) }
            }
            for note in notes { Markup.paragraph(note, style: "note") }
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

    private var notes: [String] {
        [sentNote, context.isProvisional ? "Provisional: late hits can still add to these figures." : nil]
            .compactMap { $0 }
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
        let isPartly = isCompared && figures.comparableDays.count < context.period.count
        var table = DataTable(
            caption: "headline figures, exact",
            columns: ["figure", "days", "this period"] + (isPartly ? ["days compared", "on these days"] : [])
                + (isCompared ? [context.comparedColumn, "change"] : []))
        for headline in context.headlines {
            let compared = [
                NumberText.exact(figures.comparableDays.count), headline.comparedValue?.exact ?? NumberText.none,
            ]
            table.add(
                headline.name,
                [NumberText.exact(context.period.count), headline.value?.exact ?? NumberText.none]
                    + (isPartly ? compared : [])
                    + (isCompared ? [headline.formerValue?.exact ?? NumberText.none, headline.change] : []))
        }
        return table
    }
}
