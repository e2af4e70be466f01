import Calendar
import Counting
import Messages

/// How soon people open.
struct DelaySection {
    /// The steps of `opened_…`, and how many later log dates a day needs until they are in.
    private static let steps: [(name: String, column: FunnelColumn, laterLogDates: Int)] = [
        ("10 s", .opened10s, 2), ("1 min", .opened1m, 2), ("5 min", .opened5m, 2), ("15 min", .opened15m, 2),
        ("30 min", .opened30m, 2), ("1 h", .opened1h, 2), ("2 h", .opened2h, 2), ("6 h", .opened6h, 2),
        ("12 h", .opened12h, 2), ("24 h", .opened24h, 2), ("72 h", .opened72h, 4), ("7 d", .opened7d, 8),
    ]

    let figures: ReportFigures

    private var days: [LogDate] { figures.matureDays }
    private var now: Totals { figures.now.sum(days) }
    private var before: Totals? {
        let days = figures.comparableMatureDays
        return days.isEmpty ? nil : figures.before.map { $0.sum(figures.counterparts(days)) }
    }

    var markup: Markup {
        .section("delay", "How soon people open") {
            if now[.openedSeen] == 0 {
                Markup.paragraph(
                    !days.contains(where: figures.table.hasFigures)
                        ? "No day of this period has \(DayTable.maturity) later log dates yet, here and in the days compared."
                        : "Of no open in this period it is known how soon it came.")
            } else {
                chart.figure(
                    "delay-curve", "Share of opens by the time since the message's first event", summary: summary,
                    width: 1040, note: note, table: table)
            }
        }
    }

    /// The steps that days of either period still add to.
    private var growing: Set<Int> {
        let all = days + figures.counterparts(days)
        return Set(
            DelaySection.steps.indices.filter { index in
                !all.allSatisfy { figures.table.isMature($0, DelaySection.steps[index].laterLogDates) }
            })
    }

    private var chart: CumulativeCurve {
        let growing = growing
        func series(_ name: String, _ style: SeriesStyle, _ totals: Totals) -> Series {
            let shares = DelaySection.steps.map { totals.rate($0.column, of: .openedSeen) }
            return Series(name: name, style: style, values: shares, growing: growing, hasMarkers: true)
        }
        var all = [series("this period", .blue, now)]
        if let before, before[.openedSeen] > 0, let name = figures.comparedName {
            all.append(series(name, .grey, before))
        }
        return CumulativeCurve(
            steps: DelaySection.steps.map { $0.name.replacing(" ", with: "\u{A0}") }, series: all)
    }

    private var summary: String {
        "Of these opens, \(NumberText.wholePercent(now.rate(.opened1h, of: .openedSeen))) come within an hour and "
            + "\(NumberText.wholePercent(now.rate(.opened24h, of: .openedSeen))) within 24 hours."
    }

    private var note: String {
        let left = figures.period.count - days.count
        return summary
            + " This is known of \(NumberText.exact(now[.openedSeen])) of \(Text.plural(now[.opened], "opened message")): "
            + "those that arrived or were impressed."
            + (left == 0
                ? ""
                : " \(Text.plural(left, "day")) with fewer than \(DayTable.maturity) later log dates, "
                    + "here or among the days compared, \(left == 1 ? "is" : "are") left out.")
            + (growing.isEmpty ? "" : " Hollow points still grow.")
    }

    private var table: DataTable {
        let (now, before) = (now, before)
        let steps = DelaySection.steps + [("any time", .openedSeen, 0)]
        return DataTable(
            "opens by the time since the message's first event", of: steps.enumerated(),
            [
                .text("within") { $0.element.name },
                .count("this period") { now[$0.element.column] },
                .rate("of opens") { now.rate($0.element.column, of: .openedSeen) },
                .count(figures.comparedColumn, if: before != nil) { before?[$0.element.column] },
                .rate("of opens then", if: before != nil) { before?.rate($0.element.column, of: .openedSeen) },
                .text("state") {
                    growing.contains($0.offset) ? "still grows" : figures.isProvisional ? "provisional" : "final"
                },
            ])
    }
}
