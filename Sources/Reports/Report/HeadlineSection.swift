import Counting

/// The figures that people look at first.
struct HeadlineSection {
    let context: PageContext

    private var figures: ReportFigures { context.figures }

    var markup: Markup {
        .section("headline", "In short", style: "untitled") {
            Markup.element("dl", ["class": "cards", "style": "--columns:\(columns)"]) {
                for headline in context.headlines { card(headline) }
            }
            for note in notes { Markup.paragraph(note, style: "note") }
            table.folded()
        }
    }

    /// Of the cards on a wide page: one row of at most six, or two.
    private var columns: Int {
        let count = context.headlines.count
        return count > 6 ? (count + 1) / 2 : count
    }

    private func card(_ headline: HeadlineFigure) -> Markup {
        .element("div", ["class": "card"]) {
            Markup.element("dt") { headline.name }
            Markup.element("dd", ["class": "big"]) { headline.value?.rounded ?? NumberText.none }
            if headline.value == nil { Markup.element("dd") { "not known yet" } }
            if let former = headline.formerValue {
                Markup.element("dd", ["class": "change"]) {
                    Markup.element("b") { headline.change }
                    // Beside a count of more days, the former count would mislead.
                    headline.comparedDays.count < headline.days.count
                        ? " on \(NumberText.plural(headline.comparedDays.count, "day"))" : " from \(former.rounded)"
                }
            } else if figures.before != nil {
                Markup.element("dd", ["class": "change"]) { "not comparable" }
            }
        }
    }

    private var notes: [String] { [sentNote, leftOut].compactMap { $0 } }

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

    /// Why the opens within 24 hours are those of fewer days.
    private var leftOut: String? {
        let count = context.period.count - figures.matureDays.count
        guard count > 0 else { return nil }
        let counterparts = figures.before == nil ? "" : ", and their counterparts,"
        return "Opened within 24 h leaves out \(NumberText.plural(count, "day")) with fewer than "
            + "\(DayTable.maturity) later log dates\(counterparts) because opens are still coming in."
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
                NumberText.exact(headline.comparedDays.count), headline.comparedValue?.exact ?? NumberText.none,
            ]
            table.add(
                headline.name,
                [NumberText.exact(headline.days.count), headline.value?.exact ?? NumberText.none]
                    + (isPartly ? compared : [])
                    + (isCompared ? [headline.formerValue?.exact ?? NumberText.none, headline.change] : []))
        }
        return table
    }
}
