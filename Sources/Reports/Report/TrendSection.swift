import Calendar
import Counting

/// Messages a day, against the other period.
struct TrendSection {
    let context: PageContext

    private var figures: ReportFigures { context.figures }

    var markup: Markup {
        .section("trend", "Messages a day") {
            chart.figure("messages", width: 1040, note: note, table: table)
        }
    }

    /// The messages of each day; nil where the log date is not complete, since part of them is missing.
    private func values(_ figures: PeriodFigures) -> [Double?] {
        figures.period.days.map { day in
            self.figures.table.isComplete(day) ? Double(figures.sum([day])[.messages]) : nil
        }
    }

    private var chart: LineChart {
        var series = [
            LineChart.Series(
                name: "this period", style: .blue, values: values(figures.now), growing: context.growing)
        ]
        if let before = figures.before, let name = context.comparedName,
            before.period.days.contains(where: figures.table.isComplete)
        {
            series.append(LineChart.Series(name: name, style: .grey, values: values(before)))
        }
        return LineChart(
            title: "Messages a day, \(DateText.range(context.period.first, context.period.last))", summary: summary,
            days: context.period.days, series: series, label: NumberText.tick, beginsAtZero: true)
    }

    private var summary: String {
        let days = context.period.days.map { ($0, figures.now.sum([$0])[.messages]) }
        guard let most = days.max(by: { ($0.1, $1.0) < ($1.1, $0.0) }),
            let least = days.filter({ figures.table.isComplete($0.0) }).min(by: { ($0.1, $0.0) < ($1.1, $1.0) })
        else { return "No log date of these days is complete." }
        if most.1 == least.1 { return "\(NumberText.plural(most.1, "message")) on each day." }
        return "Most on \(DateText.long(most.0)): \(NumberText.exact(most.1)). "
            + "Fewest on \(DateText.long(least.0)): \(NumberText.exact(least.1))."
    }

    private var note: String {
        var parts = [summary]
        if !context.growing.isEmpty { parts.append("Hollow points still grow.") }
        if context.period.days.contains(where: { !figures.table.isComplete($0) }) {
            parts.append("The line is broken where a log date is missing or partial.")
        }
        if !DayAxis(days: context.period.days).weekends.isEmpty, context.period.count > 1 {
            parts.append("Weekends are shaded.")
        }
        return parts.joined(separator: " ")
    }

    private var table: DataTable {
        let isCompared = figures.before != nil
        var table = DataTable(
            caption: "messages of each day",
            columns: ["day", "weekday", "messages", "state"]
                + (isCompared ? ["compared day", context.comparedColumn, "change"] : []),
            texts: ["weekday", "state", "compared day"])
        for day in context.period.days {
            let now = figures.now.sum([day])[.messages]
            var cells = [
                DateText.weekday(day), NumberText.exact(now),
                context.state(day),
            ]
            if let before = figures.before, let other = figures.counterparts([day]).first {
                let former = before.sum([other])[.messages]
                let isComparable = figures.table.isComplete(day) && figures.table.isComplete(other)
                cells += [
                    other.description, NumberText.exact(former),
                    isComparable ? NumberText.change(from: former, to: now) : NumberText.none,
                ]
            }
            table.add(day.description, cells)
        }
        return table
    }
}
