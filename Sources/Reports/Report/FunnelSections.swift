import Calendar
import Counting

/// What became of the messages, by platform.
struct FunnelSection {
    private typealias Stage = (name: String, column: FunnelColumn)

    let figures: ReportFigures

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
                            figure(platform, id: "funnel-\(index)")
                        }
                    }
                }
                if platforms.count > 1 { table(nil).folded() }
            }
        }
    }

    private func figure(_ platform: String, id: String) -> Markup {
        let (now, before) = (figures.now.sum(platform: platform), figures.compared(platform: platform).before)
        let stages = stages(platform)
        let shares = stages.dropFirst().map { stage in
            "\(NumberText.percent(now.rate(stage.column, of: .messages))) \(stage.name)"
        }
        let chart = FunnelChart(
            stages: stages.map { name, column in
                BarChart.Bar(
                    name: name, value: Double(now[column]), text: NumberText.rounded(now[column]),
                    compared: before.rate(column, of: .messages))
            }, comparedName: figures.comparedName)
        return chart.figure(
            id, "The messages of \(platform) by what became of them",
            summary: "Of \(NumberText.exact(now[.messages])) messages: " + shares.joined(separator: ", ") + ".",
            width: 504, table: table(platform))
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
        let (now, before) = figures.compared(platform: platform)
        let isCompared = figures.isCompared
        return DataTable(
            "the funnel of \(platform ?? "all platforms")", of: stages(platform) + [("dismissed", .dismissed)],
            [
                .text("stage") { $0.name },
                .count("this period") { sum[$0.column] },
                .rate("of messages") { sum.rate($0.column, of: .messages) },
                .count(figures.comparedColumn, if: isCompared) { before[$0.column] },
                .rate("of messages then", if: isCompared) { before.rate($0.column, of: .messages) },
                .number("change of share", if: isCompared) {
                    NumberText.points(
                        from: before.rate($0.column, of: .messages), to: now.rate($0.column, of: .messages))
                },
            ])
    }
}

/// The rate of opens by platform, of impressed messages: the one that can be compared, since not every platform tells of
/// arrivals.
struct PlatformSection {
    /// A day with fewer impressed messages has no point, because its rate would jump.
    private static let least = 30

    let figures: ReportFigures

    private var days: [LogDate] { figures.period.days }
    private let platforms: [String]
    private let withImpressions: [String]

    init(figures: ReportFigures) {
        let (now, before) = (figures.now, figures.before)
        let platforms = now.platforms
        self.figures = figures
        self.platforms = platforms + (before?.platforms ?? []).filter { !platforms.contains($0) }
        withImpressions = self.platforms.filter { now.sum(platform: $0)[.impressed] > 0 }
    }

    var markup: Markup {
        .section("platforms", "Opens of impressed messages by platform") {
            if withImpressions.isEmpty {
                Markup.paragraph(
                    "No message of this period has an impression, so there is no rate of impressed messages.")
            } else if days.count > 1, chart.series.contains(where: { $0.values.contains { $0 != nil } }) {
                chart.figure(
                    "platform-rates", "Opened of impressed messages a day, by platform", summary: summary, width: 1040,
                    note: note, table: dailyTable)
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
            Series(
                name: platform, style: style(platform),
                values: days.map { day in
                    let totals = figures.now.sum([day], platform: platform)
                    return figures.table.isComplete(day) && totals[.impressed] >= PlatformSection.least
                        ? rate(totals) : nil
                }, growing: figures.growing, hasMarkers: true)
        }
        return LineChart(
            days: days, series: series.filter { $0.values.contains { $0 != nil } }, label: NumberText.percentTick,
            height: 270)
    }

    private var summary: String {
        withImpressions.map { "\($0) \(NumberText.percent(rate(figures.now.sum(platform: $0))))" }
            .joined(separator: ", ") + " over the period."
    }

    private var note: String {
        "Of impressed messages. "
            + (chart.isCut ? "The axis does not begin at 0. " : "")
            + "A day with fewer than \(PlatformSection.least) impressed messages has no point."
            + (figures.growing.isEmpty ? "" : " Hollow points still grow.")
    }

    private var dailyTable: DataTable {
        let byPlatform = withImpressions.flatMap { platform -> [DataTable.Column<LogDate>] in
            func totals(_ day: LogDate) -> Totals { figures.now.sum([day], platform: platform) }
            return [
                .count("\(platform): opened") { totals($0)[.openedImpressed] },
                .count("impressed") { totals($0)[.impressed] },
                .rate("rate") { rate(totals($0)) },
            ]
        }
        return DataTable(
            "opened of impressed messages a day", of: days, [.text("day") { $0.description }] + byPlatform)
    }

    private var table: DataTable {
        let isCompared = figures.isCompared
        let rows = platforms.map { platform in
            let (now, before) = figures.compared(platform: platform)
            return (name: platform, sum: figures.now.sum(platform: platform), now: rate(now), before: rate(before))
        }
        return DataTable(
            "platforms", of: rows,
            [
                .markup("platform") { Markup.data($0.name) },
                .rate("rate") { rate($0.sum) },
                .rate(figures.comparedColumn, if: isCompared) { $0.before },
                .number("change", if: isCompared) { NumberText.points(from: $0.before, to: $0.now) },
                .count("impressed") { $0.sum[.impressed] },
                .count("opened of these") { $0.sum[.openedImpressed] },
                .count("messages") { $0.sum[.messages] },
            ])
    }
}
