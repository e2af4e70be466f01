import Messages

extension PageSection {
    /// How soon people open.
    static func delay(of figures: ReportFigures) -> PageSection {
        PageSection("delay", title: "How soon people open") {
            figures.apart { group in
                let days = figures.matureDays
                let now = group.sum(days)
                if now[.openedSeen] > 0 {
                    DelayCurve(
                        id: group.id("delay-curve"), suffix: group.suffix, now: now, before: before(in: group),
                        table: figures.table, days: days + figures.counterparts(of: days),
                        note: figures.immatureNote,
                        comparedNote: figures.comparedNote(of: figures.comparableMatureDays, among: days)
                    ).figure
                } else if days.contains(where: figures.table.hasFigures) {
                    Markup.paragraph("Of no open in this period it is known how soon it came.")
                } else {
                    Markup.paragraph(
                        "No day of this period has \(DayTable.maturity) later log dates yet, here and in the days compared."
                    )
                }
            }
        }
    }

    private static func before(in group: GroupFigures) -> (name: String, totals: Totals)? {
        let days = group.figures.comparableMatureDays
        guard let name = group.figures.comparedName, !days.isEmpty else { return nil }
        return group.former(days).map { (name, $0) }
    }
}

extension ReportFigures {
    /// The note about the number of days left out of figures about opens within 24 hours.
    fileprivate var immatureNote: String {
        let left = period.count - matureDays.count
        return left == 0
            ? ""
            : " \(Text.plural(left, of: "day")) with fewer than \(DayTable.maturity) later log dates, "
                + "here or among the days compared, \(left == 1 ? "is" : "are") left out."
    }
}
