import Calendar
import Counting

/// What became of the messages, by platform.
struct FunnelSection {
    private typealias Stage = (name: String, column: FunnelColumn)

    let figures: ReportFigures

    private static let stages: [Stage] = [
        ("messages", .messages), ("sent", .sent), ("failed", .failed), ("arrived", .arrived), ("impressed", .impressed),
        ("clicked", .clicked), ("opened", .opened),
    ]

    /// What only some sources log.
    private static let rare: Set<FunnelColumn> = [.sent, .failed, .arrived]

    private func stages(_ platform: String?, _ group: DeliveryGroup?) -> [Stage] {
        let sums = [figures.now, figures.before].compactMap { $0?.sum(platform: platform, of: group) }
        return FunnelSection.stages.filter { stage in
            !FunnelSection.rare.contains(stage.column) || sums.contains { $0[stage.column] > 0 }
        }
    }

    private func platforms(_ group: DeliveryGroup?) -> [String] {
        figures.now.platforms.filter { figures.now.sum(platform: $0, of: group)[.messages] > 0 }
    }

    var markup: Markup {
        let nothing = platforms(nil).isEmpty ? "No message was first seen in this period." : nil
        return .section("funnel", "From message to open", nothing: nothing) {
            figures.apart { group in
                Markup.paragraph(note(group))
                Markup.element("div", ["class": "pair"]) {
                    for (index, platform) in platforms(group).enumerated() {
                        Markup.element("div") {
                            Markup.element("h3") { Markup.data(platform) }
                            figure(platform, group, id: "funnel-\(group?.rawValue ?? "all")-\(index)")
                        }
                    }
                }
                if platforms(group).count > 1 { table(nil, group).folded() }
            }
        }
    }

    private func figure(_ platform: String, _ group: DeliveryGroup?, id: String) -> Markup {
        let now = figures.now.sum(platform: platform, of: group)
        let before = figures.compared(platform: platform, of: group).before
        let stages = stages(platform, group)
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
            id, "The messages of \(platform) by what became of them\(figures.suffix(group))",
            summary: "Of \(NumberText.exact(now[.messages])) messages: " + shares.joined(separator: ", ") + ".",
            width: 504, table: table(platform, group))
    }

    private func note(_ group: DeliveryGroup?) -> String {
        let now = figures.now.sum(of: group)
        return "Shares are of messages. Clicked includes dismissals: "
            + "\(NumberText.percent(now.rate(.dismissed, of: .messages))) of messages were clicked and not opened."
            + (now[.arrived] > 0
                ? " Of \(NumberText.exact(now[.arrived])) messages that arrived, \(NumberText.exact(now[.arrivedUnseen])) "
                    + "were not impressed, clicked or opened."
                : "")
    }

    /// - Parameter platform: nil for all.
    private func table(_ platform: String?, _ group: DeliveryGroup?) -> DataTable {
        let sum = figures.now.sum(platform: platform, of: group)
        let (now, before) = figures.compared(platform: platform, of: group)
        let isCompared = figures.isCompared
        return DataTable(
            "the funnel of \(platform ?? "all platforms")\(figures.suffix(group))",
            of: stages(platform, group) + [("dismissed", .dismissed)],
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
    let figures: ReportFigures

    var markup: Markup {
        .section("platforms", "Opens of impressed messages by platform") {
            if figures.now.sum()[.impressed] == 0 {
                Markup.paragraph(
                    "No message of this period has an impression, so there is no rate of impressed messages.")
            }
            figures.apart { PlatformRates(figures: figures, group: $0).markup }
        }
    }
}

/// The rates of the platforms in a group of deliveries.
private struct PlatformRates {
    /// A day with fewer impressed messages has no point, because its rate would jump.
    private static let least = 30

    let figures: ReportFigures
    let group: DeliveryGroup?
    private let platforms: [String]
    private let withImpressions: [String]

    private var days: [LogDate] { figures.period.days }

    init(figures: ReportFigures, group: DeliveryGroup?) {
        (self.figures, self.group) = (figures, group)
        let periods = [figures.now, figures.before].compactMap(\.self)
        let found = Set(periods.flatMap(\.platforms)).filter { name in
            group == nil || periods.contains { $0.sum(platform: name, of: group)[.messages] > 0 }
        }
        platforms = Totals.inUsualOrder(found)
        withImpressions = platforms.filter { figures.now.sum(platform: $0, of: group)[.impressed] > 0 }
    }

    @Markup.Builder var markup: Markup {
        if days.count > 1, chart.series.contains(where: { $0.values.contains { $0 != nil } }) {
            chart.figure(
                "platform-rates-\(group?.rawValue ?? "all")",
                "Opened of impressed messages a day, by platform\(figures.suffix(group))", summary: summary,
                width: 1040,
                note: note, table: dailyTable)
        }
        if !platforms.isEmpty { table.markup }
    }

    private func rate(_ totals: Totals) -> Double? { totals.rate(.openedImpressed, of: .impressed) }

    private func sum(_ days: [LogDate], _ platform: String) -> Totals {
        figures.now.sum(days, platform: platform, of: group)
    }

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
                    let totals = sum([day], platform)
                    return figures.table.isComplete(day) && totals[.impressed] >= PlatformRates.least
                        ? rate(totals) : nil
                }, growing: figures.growing, hasMarkers: true)
        }
        return LineChart(
            days: days, series: series.filter { $0.values.contains { $0 != nil } }, label: NumberText.percentTick,
            height: 270)
    }

    private var summary: String {
        withImpressions.map { "\($0) \(NumberText.percent(rate(sum(days, $0))))" }.joined(separator: ", ")
            + " over the period."
    }

    private var note: String {
        "Of impressed messages. "
            + (chart.isCut ? "The axis does not begin at 0. " : "")
            + "A day with fewer than \(PlatformRates.least) impressed messages has no point."
            + (figures.growing.isEmpty ? "" : " Hollow points still grow.")
    }

    private var dailyTable: DataTable {
        let byPlatform = withImpressions.flatMap { platform -> [DataTable.Column<LogDate>] in
            [
                .count("\(platform): opened") { sum([$0], platform)[.openedImpressed] },
                .count("impressed") { sum([$0], platform)[.impressed] },
                .rate("rate") { rate(sum([$0], platform)) },
            ]
        }
        return DataTable(
            "opened of impressed messages a day\(figures.suffix(group))", of: days,
            [.text("day") { $0.description }] + byPlatform)
    }

    private var table: DataTable {
        let isCompared = figures.isCompared
        let rows = platforms.map { platform in
            let (now, before) = figures.compared(platform: platform, of: group)
            return (name: platform, sum: sum(days, platform), now: rate(now), before: rate(before))
        }
        return DataTable(
            "platforms\(figures.suffix(group))", of: rows,
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
