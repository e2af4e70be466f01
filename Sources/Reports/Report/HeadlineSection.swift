import Messages

extension PageSection {
    /// The section with the most important figures.
    static func headline(of figures: ReportFigures) -> PageSection {
        let headlines = HeadlineFigure.all(of: figures)
        return headline(
            headlines.map { headline in
                Card(
                    name: headline.name, value: headline.value?.rounded, detail: headline.detail,
                    change: change(of: headline, in: figures))
            },
            notes: [
                comparedNote(of: figures), sentNote(of: figures, with: headlines),
                figures.isProvisional ? DayTable.provisional : nil,
            ]
        ) {
            table(of: headlines, in: figures).folded()
        }
    }

    /// Nil if nothing is compared.
    private static func change(of headline: HeadlineFigure, in figures: ReportFigures) -> Markup? {
        guard figures.before != nil else { return nil }
        guard let base = headline.base(in: figures) else { return Markup("not comparable") }
        var change = Markup.element("b") { headline.change }
        change.append(Markup(" " + base))
        return change
    }

    /// The note about which days are compared, if not all are.
    private static func comparedNote(of figures: ReportFigures) -> String? {
        guard let name = figures.comparedName, figures.hasLogDates else { return nil }
        if !figures.isCompared {
            return "There is nothing to compare with: \(figures.whyNothingIsCompared(with: name))."
        }
        return figures.comparedNote
    }

    /// The note about the deliveries whose number sent is known.
    private static func sentNote(of figures: ReportFigures, with headlines: [HeadlineFigure]) -> String? {
        let deliveries = figures.now.deliveries
        let sent = figures.now.sent(on: figures.period.days)
        guard !sent.isEmpty else { return nil }
        let delivered = sent.count { $0.delivered != nil }
        return "Sent is that of the \(NumberText.exact(sent.count)) of "
            + "\(NumberText.deliveries(deliveries.count)) that began in this period and of which it is known"
            + "\(delivered > 0 && delivered < sent.count ? "; delivered is that of \(NumberText.exact(delivered))" : "")."
            + " Opened of sent is of these"
            + (sent.contains(where: \.hasLaterCounts) ? ", also with what came after the period" : "")
            + (headlines.contains(where: \.isAtEqualAge)
                ? "; its change compares what came up to the end of each period." : ".")
    }

    private static func table(of headlines: [HeadlineFigure], in figures: ReportFigures) -> DataTable {
        let isCompared = figures.before != nil
        let days = figures.comparableDays.count
        let all = figures.period.count
        let isPartly = isCompared && days < all || headlines.contains(where: \.isAtEqualAge)
        return DataTable(
            "headline figures, exact", of: headlines,
            columns: [
                .text("figure") { $0.name },
                .text("of", if: figures.groups.count > 1) { $0.group ?? "all" },
                .count("days") { _ in all },
                .number("this period") { $0.value?.exact },
                .count("days compared", if: isPartly) { _ in days },
                .number("on these days", if: isPartly) { $0.comparedValue?.exact },
                .number(figures.comparedColumn, if: isCompared) { $0.formerValue?.exact },
                .number("change", if: isCompared) { $0.change },
            ])
    }
}
