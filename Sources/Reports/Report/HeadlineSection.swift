import Counting

/// The counts that people look at first.
struct HeadlineSection {
    let context: PageContext

    private var figures: ReportFigures { context.figures }

    private var headlines: [HeadlineFigure] {
        [
            HeadlineFigure("Messages", .messages, figures), HeadlineFigure("Impressed", .impressed, figures),
            HeadlineFigure("Clicked", .clicked, figures), HeadlineFigure("Opened", .opened, figures),
            HeadlineFigure("Opened within 24 h", .opened24h, figures),
            HeadlineFigure("Dismissed", .dismissed, figures),
        ]
    }

    var markup: Markup {
        .section("headline", "In short", style: "untitled") {
            Markup.element("dl", ["class": "cards"]) { for headline in headlines { card(headline) } }
            if !note.isEmpty { Markup.paragraph(note, style: "note") }
            table.folded()
        }
    }

    private func card(_ headline: HeadlineFigure) -> Markup {
        .element("div", ["class": "card"]) {
            Markup.element("dt") { headline.name }
            Markup.element("dd", ["class": "big"]) {
                headline.isKnown ? NumberText.rounded(headline.value) : NumberText.none
            }
            Markup.element("dd") {
                if !headline.isKnown {
                    "not known yet"
                } else if headline.column == .messages {
                    aDay
                } else {
                    "\(NumberText.percent(headline.share)) of messages"
                }
            }
            if let former = headline.formerValue {
                Markup.element("dd", ["class": "change"]) {
                    Markup.element("b") { headline.change }
                    // Beside a count of more days, the former count would mislead.
                    headline.comparedDays.count < headline.days.count
                        ? " on \(NumberText.plural(headline.comparedDays.count, "day"))"
                        : " from \(NumberText.rounded(former))"
                }
            } else if figures.before != nil {
                Markup.element("dd", ["class": "change"]) { "not comparable" }
            }
        }
    }

    /// Messages a day, of the days whose log dates are loaded.
    private var aDay: String {
        let days = context.period.days.filter(figures.table.isLoaded)
        guard !days.isEmpty else { return "no log date is loaded" }
        let mean = Double(figures.now.sum(days)[.messages]) / Double(days.count)
        return NumberText.rounded(Int(mean.rounded()))
            + (days.count == context.period.count ? " a day" : " a loaded day")
    }

    private var note: String {
        [figures.isProvisional ? "These figures are provisional." : nil, leftOut].compactMap { $0 }.joined(
            separator: " ")
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
            caption: "counts of messages, exact",
            columns: ["figure", "days", "this period", "of messages"]
                + (isPartly ? ["days compared", "on these days"] : [])
                + (isCompared ? [context.comparedColumn, "change"] : []))
        for headline in headlines {
            let compared = [
                NumberText.exact(headline.comparedDays.count), NumberText.exact(headline.comparedValue),
            ]
            table.add(
                headline.name,
                [
                    NumberText.exact(headline.days.count), NumberText.exact(headline.value),
                    NumberText.percent(headline.share),
                ] + (isPartly ? compared : [])
                    + (isCompared
                        ? [headline.formerValue.map(NumberText.exact) ?? NumberText.none, headline.change] : []))
        }
        return table
    }
}
