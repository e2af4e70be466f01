import Calendar

/// When people open. Of a single day: what happened in each of its hours.
struct HoursSection {
    let context: PageContext

    private var figures: ReportFigures { context.figures }
    private var opens: [[Int]] { figures.now.opens }

    var markup: Markup {
        context.period.count == 1
            ? .section("hours", "The hours of the day") {
                if figures.now.hours.isEmpty {
                    Markup.paragraph("No event fell on this day.")
                } else {
                    hourChart.figure("hours-map", width: 1040, note: zone, table: hourTable)
                }
            }
            : .section("hours", "When people open") {
                if opens.joined().allSatisfy({ $0 == 0 }) {
                    Markup.paragraph("There was no open in this period.")
                } else {
                    chart.figure("hours-map", width: 1040, note: note, table: table)
                }
            }
    }

    private var zone: String { "Hours are those of \(figures.table.timeZone)." }

    // MARK: A single day

    /// The actions that happened, the usual ones first.
    private var actions: [String] {
        let usual = ["arrival", "impression", "click", "open"]
        let found = figures.now.hours.keys
        return usual.filter(found.contains) + found.filter { !usual.contains($0) }.sorted()
    }

    private var hourChart: HeatMap {
        HeatMap(
            title: "Events by hour and action",
            summary: actions.map { action in
                "\(action) \(NumberText.exact((figures.now.hours[action] ?? []).reduce(0, +)))"
            }.joined(separator: ", ") + ".", names: actions,
            values: actions.map { (figures.now.hours[$0] ?? []).map(Double.init) })
    }

    private var hourTable: DataTable {
        var table = DataTable(caption: "events by hour and action", columns: ["hour"] + actions)
        for hour in 0..<24 {
            table.add(
                HeatMap.name(ofHour: hour), actions.map { NumberText.exact(figures.now.hours[$0]?[hour] ?? 0) })
        }
        return table
    }

    // MARK: Several days

    /// How many of the period's days are of each weekday and loaded.
    private var dayCounts: [Int] {
        var counts = [Int](repeating: 0, count: 7)
        for day in context.period.days where figures.table.isLoaded(day) { counts[day.weekday - 1] += 1 }
        return counts
    }

    private var means: [[Double?]] {
        zip(opens, dayCounts).map { hours, days in hours.map { days > 0 ? Double($0) / Double(days) : nil } }
    }

    private var chart: HeatMap {
        HeatMap(
            title: "Opens by hour and weekday, mean of a day", summary: summary, names: DateText.weekdays, values: means
        )
    }

    private var summary: String {
        var top: (weekday: Int, hour: Int, value: Double)?
        for (weekday, hours) in means.enumerated() {
            for (hour, value) in hours.enumerated() {
                if let value, value > top?.value ?? -1 { top = (weekday, hour, value) }
            }
        }
        guard let top else { return "No log date of these days is loaded." }
        return "Most on \(DateText.weekdays[top.weekday]) from \(HeatMap.name(ofHour: top.hour)):00 on: "
            + "\(NumberText.rounded(Int(top.value.rounded()))) opens in that hour."
    }

    private var note: String {
        summary + " Each field is the mean of such days; the table has the sums. \(zone)"
    }

    private var table: DataTable {
        var table = DataTable(
            caption: "opens by hour and weekday, sums over the period", columns: ["hour"] + DateText.weekdays)
        table.add("loaded days", dayCounts.map(NumberText.exact))
        for hour in 0..<24 {
            table.add(HeatMap.name(ofHour: hour), opens.map { NumberText.exact($0[hour]) })
        }
        return table
    }
}
