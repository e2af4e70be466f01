import Counting

/// What became of the messages.
struct FunnelSection {
    let context: PageContext

    private var figures: ReportFigures { context.figures }
    private var now: Totals { figures.now.sum() }
    private var before: Totals? { figures.before.map { $0.sum() } }

    private var stages: [(name: String, column: FunnelColumn)] {
        let all: [(String, FunnelColumn)] = [
            ("messages", .messages), ("arrived", .arrived), ("impressed", .impressed), ("clicked", .clicked),
            ("opened", .opened),
        ]
        // Arrivals come from one kind of source, which not everyone has.
        return all.filter { $0.1 != .arrived || now[.arrived] > 0 || (before?[.arrived] ?? 0) > 0 }
    }

    var markup: Markup {
        .section("funnel", "From message to open", isProvisional: figures.isProvisional) {
            if now[.messages] == 0 {
                Markup.paragraph("No message was first seen in this period.")
            } else {
                chart.figure("funnel-chart", width: 504, note: note, table: table)
            }
        }
    }

    private var chart: FunnelChart {
        FunnelChart(
            title: "The messages of the period by what became of them", summary: summary,
            stages: stages.map { stage in
                FunnelChart.Stage(
                    name: stage.name, count: now[stage.column],
                    comparedShare: before?.rate(stage.column, of: .messages))
            }, comparedName: context.comparedName)
    }

    private var summary: String {
        let parts = stages.dropFirst().map { stage in
            "\(NumberText.percent(now.rate(stage.column, of: .messages))) \(stage.name)"
        }
        return "Of \(NumberText.exact(now[.messages])) messages: " + parts.joined(separator: ", ") + "."
    }

    private var note: String {
        "Shares are of messages. Clicked includes dismissals: \(NumberText.percent(now.rate(.dismissed, of: .messages))) "
            + "of messages were clicked and not opened."
    }

    private var table: DataTable {
        var table = DataTable(
            caption: "the funnel",
            columns: ["stage", "this period", "of messages"]
                + (before == nil ? [] : [context.comparedColumn, "of messages then", "change of share"]))
        for stage in stages + [("dismissed", .dismissed)] {
            let share = now.rate(stage.column, of: .messages)
            var cells = [NumberText.exact(now[stage.column]), NumberText.percent(share)]
            if let before {
                let former = before.rate(stage.column, of: .messages)
                cells += [
                    NumberText.exact(before[stage.column]), NumberText.percent(former),
                    NumberText.points(from: former, to: share),
                ]
            }
            table.add(stage.name, cells)
        }
        return table
    }
}
