import Calendar
import Counting
import Messages

/// Messages a day, against the other period.
struct TrendSection {
    let figures: ReportFigures

    var markup: Markup {
        .section("trend", "Messages a day") {
            figures.apart { Trend(figures: figures, group: $0).markup }
        }
    }
}

/// The messages a day of a group of deliveries.
private struct Trend {
    let figures: ReportFigures
    let group: DeliveryGroup?

    private var days: [LogDate] { figures.period.days }

    var markup: Markup {
        chart.figure(
            "messages-\(group?.rawValue ?? "all")",
            "Messages a day, \(DateText.range(figures.period.first, figures.period.last))" + figures.suffix(group),
            summary: summary, width: 1040, note: note, table: table)
    }

    private func messages(_ day: LogDate, _ period: PeriodFigures) -> Int { period.sum([day], of: group)[.messages] }

    /// The messages of each day; nil where the log date is not complete, since part of them is missing.
    private func values(_ period: PeriodFigures) -> [Double?] {
        period.period.days.map { figures.table.isComplete($0) ? Double(messages($0, period)) : nil }
    }

    private var chart: LineChart {
        var series = [
            Series(
                name: "this period", style: .blue, values: values(figures.now), growing: figures.growing)
        ]
        if let before = figures.before, let name = figures.comparedName,
            before.period.days.contains(where: figures.table.isComplete)
        {
            series.append(Series(name: name, style: .grey, values: values(before)))
        }
        return LineChart(days: days, series: series, label: NumberText.tick, beginsAtZero: true)
    }

    private var summary: String {
        let days = days.map { ($0, messages($0, figures.now)) }
        guard let most = days.max(by: { ($0.1, $1.0) < ($1.1, $0.0) }),
            let least = days.filter({ figures.table.isComplete($0.0) }).min(by: { ($0.1, $0.0) < ($1.1, $1.0) })
        else { return "No log date of these days is complete." }
        if most.1 == least.1 { return "\(Text.plural(most.1, of: "message")) on each day." }
        return "Most on \(DateText.long(most.0)): \(NumberText.exact(most.1)). "
            + "Fewest on \(DateText.long(least.0)): \(NumberText.exact(least.1))."
    }

    private var note: String {
        var parts = [summary]
        if !figures.growing.isEmpty { parts.append("Hollow points still grow.") }
        if days.contains(where: { !figures.table.isComplete($0) }) {
            parts.append("The line is broken where a log date is missing or not complete.")
        }
        if !DayAxis(days: days).weekends.isEmpty { parts.append("Weekends are shaded.") }
        return parts.joined(separator: " ")
    }

    private var table: DataTable {
        let before = figures.before
        let others = before == nil ? days : figures.counterparts(days)
        func former(_ other: LogDate) -> Int { before.map { messages(other, $0) } ?? 0 }
        return DataTable(
            "messages of each day" + figures.suffix(group), of: zip(days, others),
            [
                .text("day") { $0.0.description },
                .text("weekday") { DateText.weekday($0.0) },
                .count("messages") { messages($0.0, figures.now) },
                .text("state") { figures.table.nameOfDay($0.0) },
                .text("compared day", if: before != nil) { $0.1.description },
                .count(figures.comparedColumn, if: before != nil) { former($0.1) },
                .number("change", if: before != nil) { day, other in
                    [day, other].allSatisfy(figures.table.isComplete)
                        ? NumberText.change(from: former(other), to: messages(day, figures.now)) : NumberText.none
                },
            ])
    }
}
