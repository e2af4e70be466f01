import Calendar
import Counting

/// The rate of opens by platform, of impressed messages: the one that can be compared, since not every platform tells of
/// arrivals.
struct PlatformSection {
    /// A day with fewer impressed messages has no point, because its rate would jump.
    private static let least = 30

    let context: PageContext

    private var figures: ReportFigures { context.figures }
    private var days: [LogDate] { context.period.days }
    private let platforms: [String]
    private let withImpressions: [String]

    init(context: PageContext) {
        let (now, before) = (context.figures.now, context.figures.before)
        let platforms = now.platforms
        self.context = context
        self.platforms = platforms + (before?.platforms ?? []).filter { !platforms.contains($0) }
        withImpressions = self.platforms.filter { now.sum(platform: $0)[.impressed] > 0 }
    }

    var markup: Markup {
        .section("platforms", "Opens of impressed messages by platform") {
            if withImpressions.isEmpty {
                Markup.paragraph(
                    "No message of this period has an impression, so there is no rate of impressed messages.")
            } else if days.count > 1, chart.series.contains(where: { $0.values.contains { $0 != nil } }) {
                chart.figure("platform-rates", width: 1040, note: note, table: dailyTable)
            }
            if !platforms.isEmpty { table.markup }
        }
    }

    private func rate(_ totals: Totals) -> Double? { totals.rate(.openedImpressed, of: .impressed) }

    private func style(_ platform: String) -> SeriesStyle {
        switch platform {
        case "android": .blue
        case "ios": .orange
        case "web": .green
        default: .grey
        }
    }

    private var chart: LineChart {
        let series = withImpressions.map { platform in
            LineChart.Series(
                name: platform, style: style(platform),
                values: days.map { day in
                    let totals = figures.now.sum([day], platform: platform)
                    return figures.table.isComplete(day) && totals[.impressed] >= PlatformSection.least
                        ? rate(totals) : nil
                }, growing: context.growing, hasMarkers: true)
        }
        return LineChart(
            title: "Opened of impressed messages a day, by platform", summary: summary, days: days,
            series: series.filter { $0.values.contains { $0 != nil } },
            label: NumberText.percentTick, height: 270)
    }

    private var summary: String {
        withImpressions.map { "\($0) \(NumberText.percent(rate(figures.now.sum(platform: $0))))" }
            .joined(separator: ", ") + " over the period."
    }

    private var note: String {
        "Of impressed messages. "
            + (chart.isCut ? "The axis does not begin at 0. " : "")
            + "A day with fewer than \(PlatformSection.least) impressed messages has no point."
            + (context.growing.isEmpty ? "" : " Hollow points still grow.")
    }

    private var dailyTable: DataTable {
        let byPlatform = withImpressions.flatMap { platform -> [DataTable.Column<LogDate>] in
            func totals(_ day: LogDate) -> Totals { figures.now.sum([day], platform: platform) }
            return [
                .number("\(platform): opened") { NumberText.exact(totals($0)[.openedImpressed]) },
                .number("impressed") { NumberText.exact(totals($0)[.impressed]) },
                .number("rate") { NumberText.percent(rate(totals($0))) },
            ]
        }
        return DataTable(
            "opened of impressed messages a day", of: days, [.text("day") { $0.description }] + byPlatform)
    }

    private var table: DataTable {
        let isCompared = figures.compared() != nil
        let rows = platforms.map { platform in
            let (now, before) = figures.compared(platform: platform) ?? (Totals(), Totals())
            return (name: platform, sum: figures.now.sum(platform: platform), now: rate(now), before: rate(before))
        }
        return DataTable(
            "platforms", of: rows,
            [
                .markup("platform") { Markup.data($0.name) },
                .number("rate") { NumberText.percent(rate($0.sum)) },
                .number(context.comparedColumn, if: isCompared) { NumberText.percent($0.before) },
                .number("change", if: isCompared) { NumberText.points(from: $0.before, to: $0.now) },
                .number("impressed") { NumberText.exact($0.sum[.impressed]) },
                .number("opened of these") { NumberText.exact($0.sum[.openedImpressed]) },
                .number("messages") { NumberText.exact($0.sum[.messages]) },
            ])
    }
}
