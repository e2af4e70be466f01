import Counting

/// What the SDKs do: opens without the events that belong to them, and records that come twice.
struct QualitySection {
    private struct Share: Sendable {
        let name: String
        let part: @Sendable (Totals) -> Int
        let wholeName: String
        let whole: @Sendable (Totals) -> Int

        func rate(_ totals: Totals) -> Double? {
            whole(totals) > 0 ? Double(part(totals)) / Double(whole(totals)) : nil
        }
    }

    private static let shares = [
        Share(
            name: "opened without impression", part: { $0[.openedWithoutImpression] }, wholeName: "opened",
            whole: { $0[.opened] }),
        Share(
            name: "opened without click", part: { $0[.openedWithoutClick] }, wholeName: "opened",
            whole: { $0[.opened] }),
        Share(
            name: "duplicates", part: { $0.duplicates }, wholeName: "accepted records",
            whole: { $0.events + $0.duplicates }),
    ]

    let context: PageContext

    private var figures: ReportFigures { context.figures }
    private var now: Totals { figures.now.sum() }
    private var before: Totals? { figures.compared()?.before }

    var markup: Markup {
        .section("quality", "What the apps leave out or repeat") {
            chart.figure(
                "quality-chart", width: 504,
                note: "Every open should come with an impression and a click. Duplicates are counted once.",
                table: table)
        }
    }

    private var chart: BarChart {
        BarChart(
            title: "Opens without impression or click, and duplicates", summary: summary,
            bars: QualitySection.shares.map { share in
                BarChart.Bar(
                    name: share.name, value: share.rate(now) ?? 0, text: NumberText.percent(share.rate(now)),
                    compared: before.flatMap(share.rate))
            }, comparedName: context.comparedName)
    }

    private var summary: String {
        QualitySection.shares.map { "\($0.name): \(NumberText.percent($0.rate(now))) of \($0.wholeName)" }
            .joined(separator: "; ") + "."
    }

    private var table: DataTable {
        var table = DataTable(
            caption: "opens without impression or click, and duplicates",
            columns: ["figure", "platform", "count", "of", "number", "share"]
                + (before == nil ? [] : ["share \(context.comparedColumn)", "change"]), texts: ["platform", "of"])
        for share in QualitySection.shares {
            for platform in [nil] + figures.now.platforms.map(Optional.some) {
                let totals = figures.now.sum(platform: platform)
                var cells = [
                    platform ?? "all", NumberText.exact(share.part(totals)), share.wholeName,
                    NumberText.exact(share.whole(totals)), NumberText.percent(share.rate(totals)),
                ]
                if let compared = figures.compared(platform: platform) {
                    let former = share.rate(compared.before)
                    cells += [
                        NumberText.percent(former), NumberText.points(from: former, to: share.rate(compared.now)),
                    ]
                }
                table.add(share.name, cells)
            }
        }
        return table
    }
}
