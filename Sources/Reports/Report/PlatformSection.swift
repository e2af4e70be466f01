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
        var table = DataTable(
            caption: "opened of impressed messages a day",
            columns: ["day"] + withImpressions.flatMap { ["\($0): opened", "impressed", "rate"] })
        for day in days {
            table.add(
                day.description,
                withImpressions.flatMap { platform in
                    let totals = figures.now.sum([day], platform: platform)
                    return [
                        NumberText.exact(totals[.openedImpressed]), NumberText.exact(totals[.impressed]),
                        NumberText.percent(rate(totals)),
                    ]
                })
        }
        return table
    }

    private var table: DataTable {
        var table = DataTable(
            caption: "platforms",
            columns: ["platform", "rate"] + (figures.compared() == nil ? [] : [context.comparedColumn, "change"])
                + ["impressed", "opened of these", "messages"])
        for platform in platforms {
            let totals = figures.now.sum(platform: platform)
            var cells = [NumberText.percent(rate(totals))]
            if let compared = figures.compared(platform: platform) {
                let former = rate(compared.before)
                cells += [NumberText.percent(former), NumberText.points(from: former, to: rate(compared.now))]
            }
            cells += [totals[.impressed], totals[.openedImpressed], totals[.messages]].map(NumberText.exact)
            table.add(Markup.data(platform), cells.map(Markup.init(text:)))
        }
        return table
    }
}
