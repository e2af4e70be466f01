import Calendar
import Messages

extension PageSection {
    /// The messages of each day, compared with the other period.
    static func trend(of figures: ReportFigures) -> PageSection {
        PageSection("trend", title: "Messages a day") {
            figures.apart { Trend(group: $0).figure }
        }
    }
}

/// The messages a day of a group of deliveries.
private struct Trend {
    let group: GroupFigures

    private var figures: ReportFigures { group.figures }
    private var days: [LogDate] { figures.period.days }

    private func messages(on day: LogDate) -> Int { group.sum([day])[.messages] }
    private func former(to day: LogDate) -> Int { group.former([day])?[.messages] ?? 0 }

    var figure: Figure {
        Figure(
            id: group.id("messages"),
            title: "Messages a day, \(DateText.range(figures.period.first, to: figures.period.last))" + group.suffix,
            summary: summary, note: note, chart: chart, table: table)
    }

    private var chart: LineChart {
        // Where the log date is not complete, part of the messages is missing.
        func value(_ count: Int, on day: LogDate) -> Double? { figures.table.isComplete(day) ? Double(count) : nil }
        var series = [
            Series(
                name: "this period", style: .blue, values: days.map { value(messages(on: $0), on: $0) },
                growing: figures.growing)
        ]
        let others = figures.counterparts(of: days)
        if let name = figures.comparedName, others.contains(where: figures.table.isComplete) {
            let values = zip(days, others).map { value(former(to: $0), on: $1) }
            series.append(Series(name: name, style: .grey, values: values))
        }
        return LineChart(days: days, series: series, label: NumberText.tick, beginsAtZero: true)
    }

    private var summary: String {
        let days = days.map { (day: $0, messages: messages(on: $0)) }
        guard let most = days.max(by: { ($0.messages, $1.day) < ($1.messages, $0.day) }),
            let least = days.filter({ figures.table.isComplete($0.day) })
                .min(by: { ($0.messages, $0.day) < ($1.messages, $1.day) })
        else { return "No log date of these days is complete." }
        if most.messages == least.messages { return "\(Text.plural(most.messages, of: "message")) on each day." }
        return "Most on \(DateText.long(most.day)): \(NumberText.exact(most.messages)). "
            + "Fewest on \(DateText.long(least.day)): \(NumberText.exact(least.messages))."
    }

    private var note: String {
        let isBroken = days.contains { !figures.table.isComplete($0) }
        let sentences = [
            summary, figures.growing.isEmpty ? nil : "Hollow points still grow.",
            isBroken ? "The line is broken where a log date is missing or not complete." : nil,
            DayAxis(days: days).weekends.isEmpty ? nil : "Weekends are shaded.",
        ]
        return sentences.compactMap(\.self).joined(separator: " ")
    }

    private var table: DataTable {
        let isCompared = figures.before != nil
        func counterpart(of day: LogDate) -> LogDate { figures.counterparts(of: [day]).first ?? day }
        return DataTable(
            "messages of each day" + group.suffix, of: days,
            columns: [
                .text("day") { $0.description },
                .text("weekday") { DateText.weekday($0) },
                .count("messages") { messages(on: $0) },
                .text("state") { figures.table.nameOfDay($0) },
                .text("compared day", if: isCompared) { counterpart(of: $0).description },
                .count(figures.comparedColumn, if: isCompared) { former(to: $0) },
                .number("change", if: isCompared) { day in
                    [day, counterpart(of: day)].allSatisfy(figures.table.isComplete)
                        ? NumberText.change(from: former(to: day), to: messages(on: day)) : nil
                },
            ])
    }
}
