import Counting

/// What became of the messages, by platform.
struct FunnelSection {
    private typealias Stage = (name: String, column: FunnelColumn)

    let context: PageContext

    private var figures: ReportFigures { context.figures }
    private var platforms: [String] { figures.now.platforms.filter { figures.now.sum(platform: $0)[.messages] > 0 } }

    private static let stages: [Stage] = [
        ("messages", .messages), ("arrived", .arrived), ("impressed", .impressed), ("clicked", .clicked),
        ("opened", .opened),
    ]

    /// Arrivals come from one kind of source, which not every platform has.
    private func stages(_ platform: String?) -> [Stage] {
        let hasArrivals = [figures.now, figures.before].contains {
            $0.map { $0.sum(platform: platform)[.arrived] > 0 } ?? false
        }
        return FunnelSection.stages.filter { $0.column != .arrived || hasArrivals }
    }

    var markup: Markup {
        .section("funnel", "From message to open") {
            if platforms.isEmpty {
                Markup.paragraph("No message was first seen in this period.")
            } else {
                Markup.paragraph(note)
                Markup.element("div", ["class": "pair"]) {
                    for (index, platform) in platforms.enumerated() {
                        Markup.element("div") {
                            Markup.element("h3") { Markup.data(platform) }
                            chart(platform).figure("funnel-\(index)", width: 504, table: table(platform))
                        }
                    }
                }
                if platforms.count > 1 { table(nil).folded() }
            }
        }
    }

    private func chart(_ platform: String) -> FunnelChart {
        let now = figures.now.sum(platform: platform)
        let before = figures.compared(platform: platform)?.before
        let stages = stages(platform)
        let shares = stages.dropFirst().map { stage in
            "\(NumberText.percent(now.rate(stage.column, of: .messages))) \(stage.name)"
        }
        return FunnelChart(
            title: "The messages of \(platform) by what became of them",
            summary: "Of \(NumberText.exact(now[.messages])) messages: " + shares.joined(separator: ", ") + ".",
            stages: stages.map { stage in
                FunnelChart.Stage(
                    name: stage.name, count: now[stage.column], comparedShare: before?.rate(stage.column, of: .messages)
                )
            }, comparedName: context.comparedName)
    }

    private var note: String {
        let now = figures.now.sum()
        return "Shares are of messages. Clicked includes dismissals: "
            + "\(NumberText.percent(now.rate(.dismissed, of: .messages))) of messages were clicked and not opened."
            + (now[.arrived] > 0
                ? " Of \(NumberText.exact(now[.arrived])) messages that arrived, \(NumberText.exact(now[.arrivedUnseen])) "
                    + "were not impressed, clicked or opened."
                : "")
    }

    /// - Parameter platform: nil for all.
    private func table(_ platform: String?) -> DataTable {
        let sum = figures.now.sum(platform: platform)
        let (now, before) = figures.compared(platform: platform) ?? (Totals(), Totals())
        let isCompared = figures.compared() != nil
        return DataTable(
            "the funnel of \(platform ?? "all platforms")", of: stages(platform) + [("dismissed", .dismissed)],
            [
                .text("stage") { $0.name },
                .number("this period") { NumberText.exact(sum[$0.column]) },
                .number("of messages") { NumberText.percent(sum.rate($0.column, of: .messages)) },
                .number(context.comparedColumn, if: isCompared) { NumberText.exact(before[$0.column]) },
                .number("of messages then", if: isCompared) {
                    NumberText.percent(before.rate($0.column, of: .messages))
                },
                .number("change of share", if: isCompared) {
                    NumberText.points(
                        from: before.rate($0.column, of: .messages), to: now.rate($0.column, of: .messages))
                },
            ])
    }
}
