import Calendar
import Counting
import Messages

/// How soon people open.
struct DelaySection {
    let figures: ReportFigures

    var markup: Markup {
        .section("delay", "How soon people open") {
            figures.apart { group in
                let days = figures.matureDays
                let now = figures.now.sum(days, of: group)
                if now[.openedSeen] == 0 {
                    return .paragraph(
                        !days.contains(where: figures.table.hasFigures)
                            ? "No day of this period has \(DayTable.maturity) later log dates yet, here and in the days compared."
                            : "Of no open in this period it is known how soon it came.")
                }
                return DelayCurve(
                    id: "delay-curve-\(group?.rawValue ?? "all")", suffix: figures.suffix(group), now: now,
                    before: before(group), table: figures.table, days: days + figures.counterparts(days),
                    note: note(days)
                ).figure
            }
        }
    }

    private func before(_ group: DeliveryGroup?) -> (name: String, totals: Totals)? {
        let days = figures.comparableMatureDays
        guard let name = figures.comparedName, let before = figures.before, !days.isEmpty else { return nil }
        return (name, before.sum(figures.counterparts(days), of: group))
    }

    private func note(_ days: [LogDate]) -> String {
        let left = figures.period.count - days.count
        return left == 0
            ? ""
            : " \(Text.plural(left, of: "day")) with fewer than \(DayTable.maturity) later log dates, "
                + "here or among the days compared, \(left == 1 ? "is" : "are") left out."
    }
}

/// Which share of opens had come after which time, beside that of something else.
struct DelayCurve {
    /// The steps of `opened_…`, and how many later log dates a day needs until they are in.
    private static let steps: [(name: String, column: FunnelColumn, laterLogDates: Int)] = [
        ("10 s", .opened10s, 2), ("1 min", .opened1m, 2), ("5 min", .opened5m, 2), ("15 min", .opened15m, 2),
        ("30 min", .opened30m, 2), ("1 h", .opened1h, 2), ("2 h", .opened2h, 2), ("6 h", .opened6h, 2),
        ("12 h", .opened12h, 2), ("24 h", .opened24h, 2), ("72 h", .opened72h, 4), ("7 d", .opened7d, 8),
    ]

    let id: String
    /// What the captions end with.
    let suffix: String
    /// Has opens of which it is known how soon they came.
    let now: Totals
    var nowName = "this period"
    let before: (name: String, totals: Totals)?
    let table: DayTable
    /// The days that opens may still come to.
    let days: [LogDate]
    let note: String

    var figure: Markup {
        chart.figure(
            id, "Share of opens by the time since the message's first event\(suffix)", summary: summary, width: 1040,
            note: summary
                + " This is known of \(NumberText.exact(now[.openedSeen])) of \(Text.plural(now[.opened], of: "opened message")): "
                + "those that were sent, arrived or were impressed." + note
                + (growing.isEmpty ? "" : " Hollow points still grow."), table: dataTable)
    }

    /// The steps that some day still adds to.
    private var growing: Set<Int> {
        Set(
            DelayCurve.steps.indices.filter { index in
                !days.allSatisfy { table.isMature($0, DelayCurve.steps[index].laterLogDates) }
            })
    }

    private var chart: CumulativeCurve {
        let growing = growing
        func series(_ name: String, _ style: SeriesStyle, _ totals: Totals) -> Series {
            let shares = DelayCurve.steps.map { totals.rate($0.column, of: .openedSeen) }
            return Series(name: name, style: style, values: shares, growing: growing, hasMarkers: true)
        }
        let others = before.flatMap { $0.totals[.openedSeen] > 0 ? series($0.name, .grey, $0.totals) : nil }
        return CumulativeCurve(
            steps: DelayCurve.steps.map { $0.name.replacing(" ", with: "\u{A0}") },
            series: [series(nowName, .blue, now)] + [others].compactMap(\.self))
    }

    private var summary: String {
        "Of these opens, \(NumberText.wholePercent(now.rate(.opened1h, of: .openedSeen))) come within an hour and "
            + "\(NumberText.wholePercent(now.rate(.opened24h, of: .openedSeen))) within 24 hours."
    }

    private var dataTable: DataTable {
        let isProvisional = !days.allSatisfy { table.days[$0] == nil || table.isFinal($0) }
        let steps = DelayCurve.steps + [("any time", .openedSeen, 0)]
        return DataTable(
            "opens by the time since the message's first event\(suffix)", of: steps.enumerated(),
            [
                .text("within") { $0.element.name },
                .count(nowName) { now[$0.element.column] },
                .rate("of opens") { now.rate($0.element.column, of: .openedSeen) },
                .count(before?.name ?? "", if: before != nil) { before?.totals[$0.element.column] },
                .rate("of opens then", if: before != nil) { before?.totals.rate($0.element.column, of: .openedSeen) },
                .text("state") {
                    growing.contains($0.offset) ? "still grows" : isProvisional ? "provisional" : "final"
                },
            ])
    }
}
