import Calendar
import Counting

extension PageSection {
    /// The rate of opens by platform. It is opened of impressed messages, the only rate that is comparable, since some
    /// platforms do not report arrivals.
    static func platforms(of figures: ReportFigures) -> PageSection {
        PageSection("platforms", title: "Opens of impressed messages by platform") {
            if figures.all.sum()[.impressed] == 0 {
                Markup.paragraph(
                    "No message of this period has an impression, so there is no rate of impressed messages.")
            }
            figures.apart { PlatformRates(of: $0).markup }
        }
    }
}

/// The rates of the platforms in a group of deliveries.
private struct PlatformRates {
    /// A day with fewer impressed messages has no point, because its rate would jump.
    private static let least = 30

    private let group: GroupFigures
    private let platforms: [String]
    private let withImpressions: [String]

    private var figures: ReportFigures { group.figures }
    private var days: [LogDate] { figures.period.days }

    init(of group: GroupFigures) {
        self.group = group
        let periods = [group.figures.now, group.figures.before].compactMap(\.self)
        let found = Set(periods.flatMap(\.platforms)).filter { name in
            group.group == nil
                || periods.contains { $0.sum($0.period.days, of: name, in: group.group)[.messages] > 0 }
        }
        platforms = Totals.inUsualOrder(found)
        withImpressions = platforms.filter { group.sum(of: $0)[.impressed] > 0 }
    }

    @Markup.Builder var markup: Markup {
        let chart = chart
        if days.count > 1, !chart.series.isEmpty {
            Figure(
                id: group.id("platform-rates"),
                title: "Opened of impressed messages a day, by platform\(group.suffix)",
                summary: summary, note: note(of: chart), chart: chart, table: dailyTable)
        }
        if !platforms.isEmpty {
            table
            if let note = figures.comparedNote { Markup.paragraph(note, style: "note") }
        }
    }

    private func rate(_ totals: Totals) -> Double? { totals.rate(.openedImpressed, of: .impressed) }

    private func style(of platform: String) -> Series.Style {
        switch platform {
        case "android": .blue
        case "ios": .orange
        case "web": .green
        default: .grey
        }
    }

    private var chart: LineChart {
        let series = withImpressions.map { platform in
            Series(
                name: platform, style: style(of: platform),
                values: days.map { day in
                    let totals = group.sum([day], of: platform)
                    return figures.table.isComplete(day) && totals[.impressed] >= PlatformRates.least
                        ? rate(totals) : nil
                }, growing: figures.growing, hasMarkers: true)
        }
        return LineChart(
            days: days, series: series.filter { $0.values.contains { $0 != nil } }, label: NumberText.percentTick,
            height: 270)
    }

    private var summary: String {
        withImpressions.map { "\($0) \(NumberText.percent(rate(group.sum(of: $0))))" }.joined(separator: ", ")
            + " over the period."
    }

    private func note(of chart: LineChart) -> String {
        "Of impressed messages. "
            + (chart.isCut ? "The axis does not begin at 0. " : "")
            + "A day with fewer than \(PlatformRates.least) impressed messages has no point."
            + (figures.growing.isEmpty ? "" : " Hollow points still grow.")
    }

    private var dailyTable: DataTable {
        let byPlatform = withImpressions.flatMap { platform -> [DataTable.Column<LogDate>] in
            [
                .count("\(platform): opened") { group.sum([$0], of: platform)[.openedImpressed] },
                .count("impressed") { group.sum([$0], of: platform)[.impressed] },
                .rate("rate") { rate(group.sum([$0], of: platform)) },
            ]
        }
        return DataTable(
            "opened of impressed messages a day\(group.suffix)", of: days,
            columns: [.text("day") { $0.description }] + byPlatform)
    }

    private var table: DataTable {
        let isCompared = figures.isCompared
        return DataTable(
            "platforms\(group.suffix)", of: platforms,
            columns: [
                .markup("platform", of: Markup.data),
                .rate("rate") { rate(group.sum(of: $0)) },
                .rate(figures.comparedColumn, if: isCompared) { rate(group.compared(of: $0).before) },
                .number("change", if: isCompared) { platform in
                    let (now, before) = group.compared(of: platform)
                    return NumberText.points(from: rate(before), to: rate(now))
                },
                .count("impressed") { group.sum(of: $0)[.impressed] },
                .count("opened of these") { group.sum(of: $0)[.openedImpressed] },
                .count("messages") { group.sum(of: $0)[.messages] },
            ])
    }
}
