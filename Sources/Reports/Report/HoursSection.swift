import Calendar

/// When people open.
struct HoursSection {
    let context: PageContext

    private var figures: ReportFigures { context.figures }
    private var opens: [[Int]] { figures.now.opens }

    var markup: Markup {
        .section("hours", "When people open", isProvisional: figures.isProvisional) {
            if opens.joined().allSatisfy({ $0 == 0 }) {
                Markup.paragraph("There was no open in this period.")
            } else {
                chart.figure("hours-map", width: 1040, note: note, table: table)
            }
        }
    }

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
        HeatMap(title: "Opens by hour and weekday, mean of a day", summary: summary, values: means)
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
        summary
            + " Each field is the mean of such days; the table has the sums. Hours are those of \(figures.table.timeZone)."
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
