import Calendar
import Counting

extension PageSection {
    /// The outcomes of messages, by platform.
    static func funnel(of figures: ReportFigures) -> PageSection {
        let nothing = figures.all.platforms.isEmpty ? "No message was first seen in this period." : nil
        return PageSection("funnel", title: "From message to open", nothing: nothing) {
            figures.apart { group in
                Markup.paragraph(Funnel(group: group).note)
                Markup.element("div", with: ["class": "pair"]) {
                    for (index, platform) in group.platforms.enumerated() {
                        Markup.element("div") {
                            Markup.element("h3") { Markup.data(platform) }
                            Funnel(group: group, platform: platform).figure(id: "\(group.id("funnel"))-\(index)")
                        }
                    }
                }
                if group.platforms.count > 1 { Funnel(group: group).table.folded(note: figures.comparedNote) }
            }
        }
    }
}

/// The outcomes of the messages of one platform, or of all.
private struct Funnel {
    let group: GroupFigures
    var platform: String?

    private var now: Totals { group.sum(of: platform) }
    private var compared: (now: Totals, before: Totals) { group.compared(of: platform) }

    private var stages: [FunnelColumn] {
        let sums = [now, group.former(group.figures.period.days, of: platform)].compactMap(\.self)
        return [.messages, .sent, .failed, .arrived, .impressed, .clicked, .opened].told(in: sums)
    }

    func figure(id: String) -> Figure {
        let now = now
        let before = compared.before
        let shares = stages.dropFirst().map { "\(NumberText.percent(now.rate($0, of: .messages))) \($0.name)" }
        let bars = stages.map { column in
            BarChart.Bar(
                name: column.name, value: Double(now[column]), text: NumberText.rounded(now[column]),
                compared: before.rate(column, of: .messages))
        }
        return Figure(
            id: id, title: "The messages of \(platform ?? "") by what became of them\(group.suffix)",
            summary: "Of \(NumberText.exact(now[.messages])) messages: " + shares.joined(separator: ", ") + ".",
            width: 504, chart: FunnelChart(stages: bars, comparedName: group.figures.comparedName), table: table,
            tableNote: group.figures.comparedNote)
    }

    var note: String {
        "Shares are of messages. Clicked includes dismissals: "
            + "\(NumberText.percent(now.rate(.dismissed, of: .messages))) of messages were clicked and not opened."
            + (now[.arrived] > 0
                ? " Of \(NumberText.exact(now[.arrived])) messages that arrived, \(NumberText.exact(now[.arrivedUnseen])) "
                    + "were not impressed, clicked or opened."
                : "")
    }

    var table: DataTable {
        let (all, (now, before)) = (now, compared)
        return DataTable(
            "the funnel of \(platform ?? "all platforms")\(group.suffix)",
            of: stages + [.dismissed],
            columns: [
                .text("stage") { $0.name },
                .count("this period") { all[$0] },
                .rate("of messages") { all.rate($0, of: .messages) },
            ]
                + DataTable.Column.former(
                    count: group.figures.comparedColumn, rate: "of messages then", change: "change of share",
                    if: group.figures.isCompared
                ) { stage in
                    let rates = [before, now].map { $0.rate(stage, of: .messages) }
                    return (before[stage], rates[0], rates[1])
                })
    }
}
