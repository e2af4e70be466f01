import Counting

/// What the SDKs do: opens without the events that belong to them, and records that come twice.
struct QualitySection {
    private struct Share: Sendable {
        let name: String
        let part: @Sendable (Totals) -> Int
        let wholeName: String
        let whole: @Sendable (Totals) -> Int

        func rate(_ totals: Totals) -> Double? { Proportion(part: part(totals), whole: whole(totals)).rate }
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
        let platforms = [nil] + figures.now.platforms.map(Optional.some)
        let rows = QualitySection.shares.flatMap { share in
            platforms.map { platform in
                let (now, before) = figures.compared(platform: platform) ?? (Totals(), Totals())
                return (
                    share: share, platform: platform, sum: figures.now.sum(platform: platform), now: share.rate(now),
                    before: share.rate(before)
                )
            }
        }
        return DataTable(
            "opens without impression or click, and duplicates", of: rows,
            [
                .text("figure") { $0.share.name },
                .text("platform") { $0.platform ?? "all" },
                .number("count") { NumberText.exact($0.share.part($0.sum)) },
                .text("of") { $0.share.wholeName },
                .number("number") { NumberText.exact($0.share.whole($0.sum)) },
                .number("share") { NumberText.percent($0.share.rate($0.sum)) },
                .number("share \(context.comparedColumn)", if: before != nil) { NumberText.percent($0.before) },
                .number("change", if: before != nil) { NumberText.points(from: $0.before, to: $0.now) },
            ])
    }
}
