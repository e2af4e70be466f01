import Calendar
import Counting
import Messages

/// The share of opens that had come after each time, compared with that of another period or of others.
struct DelayCurve {
    /// The steps, each with its column `opened_…`, and the number of later log dates after which a day's count is
    /// complete.
    private static let steps: [(name: String, column: FunnelColumn, laterLogDates: Int)] = [
        ("10 s", .opened10s, 2), ("1 min", .opened1m, 2), ("5 min", .opened5m, 2), ("15 min", .opened15m, 2),
        ("30 min", .opened30m, 2), ("1 h", .opened1h, 2), ("2 h", .opened2h, 2), ("6 h", .opened6h, 2),
        ("12 h", .opened12h, 2), ("24 h", .opened24h, 2), ("72 h", .opened72h, 4), ("7 d", .opened7d, 8),
    ]

    let id: String
    /// The end of the captions.
    var suffix = ""
    /// Totals with at least one open whose delay is known.
    let now: Totals
    var nowName = "this period"
    var before: (name: String, totals: Totals)?
    let table: DayTable
    /// The days to which opens may still be added.
    let days: [LogDate]
    let note: String
    /// Which days the other period's figures are of; nil if they are the counterparts of all.
    var comparedNote: String?

    var figure: Figure {
        Figure(
            id: id, title: "Share of opens by the time since the message's first event\(suffix)", summary: summary,
            note: summary
                + " This is known of \(NumberText.exact(now[.openedSeen])) of \(Text.plural(now[.opened], of: "opened message")): "
                + "those that were sent, arrived or were impressed." + note
                + (growing.isEmpty ? "" : " Hollow points still grow."), chart: chart, table: dataTable,
            tableNote: comparedNote)
    }

    /// The steps that some day still adds to.
    private var growing: Set<Int> {
        Set(
            DelayCurve.steps.indices.filter { index in
                !days.allSatisfy { table.isMature($0, after: DelayCurve.steps[index].laterLogDates) }
            })
    }

    private var chart: CumulativeCurve {
        let growing = growing
        let all = [(name: nowName, totals: now)] + [before].compactMap(\.self).filter { $0.totals[.openedSeen] > 0 }
        return CumulativeCurve(
            steps: DelayCurve.steps.map { $0.name.replacing(" ", with: "\u{A0}") },
            series: zip(all, [Series.Style.blue, .grey]).map { line, style in
                let shares = DelayCurve.steps.map { line.totals.rate($0.column, of: .openedSeen) }
                return Series(name: line.name, style: style, values: shares, growing: growing, hasMarkers: true)
            })
    }

    private var summary: String {
        "Of these opens, \(NumberText.wholePercent(now.rate(.opened1h, of: .openedSeen))) come within an hour and "
            + "\(NumberText.wholePercent(now.rate(.opened24h, of: .openedSeen))) within 24 hours."
    }

    private var dataTable: DataTable {
        let isProvisional = table.isAnyProvisional(of: days)
        let steps = DelayCurve.steps + [("any time", .openedSeen, 0)]
        return DataTable(
            "opens by the time since the message's first event\(suffix)", of: steps.enumerated(),
            columns: [
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
