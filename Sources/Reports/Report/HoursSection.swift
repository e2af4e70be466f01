import Calendar
import Partitions
import SQLite

/// When people open. Of a single day: what happened in each of its hours.
struct HoursSection {
    let figures: ReportFigures
    /// The opens of the loaded days of each weekday by hour, Monday first; of a single day the events of each action, the usual
    /// ones first.
    private let rows: [(name: String, hours: [Int])]

    private var isDay: Bool { figures.period.count == 1 }

    init(figures: ReportFigures) throws {
        let isDay = figures.period.count == 1
        let none = [Int](repeating: 0, count: 24)
        var hours: [String: [Int]] = [:]
        try figures.database.checkEnds(of: "day", in: "hourly_actions")
        try figures.database.forEach(Question.page("hours"), during: figures.period) { row in
            let (hour, action): (Int, String) = (try row.read(1), try row.read(2))
            let (day, events) = (try row.date(0), try row.count(3))
            guard (0..<24).contains(hour), isDay || action == "open" && figures.table.isLoaded(day) else { return }
            hours[isDay ? action : DateText.weekday(day), default: none][hour] += events
        }
        let usual =
            isDay ? ["arrival", "impression", "click", "open"].filter(hours.keys.contains) : DateText.weekdays
        self.figures = figures
        rows = (usual + hours.keys.filter { !usual.contains($0) }.sorted()).map { ($0, hours[$0] ?? none) }
    }

    var markup: Markup {
        let isEmpty = rows.allSatisfy { $0.hours.allSatisfy { $0 == 0 } }
        let nothing = isDay ? "No event fell on this day." : "There was no open on the loaded days of this period."
        return .section(
            "hours", isDay ? "The hours of the day" : "When people open", nothing: isEmpty ? nothing : nil
        ) {
            HeatMap(names: rows.map(\.name), values: values).figure(
                "hours-map", isDay ? "Events by hour and action" : "Opens by hour and weekday, mean of a day",
                summary: summary, width: 1040, note: note, table: table)
        }
    }

    /// How many of the period's days are of each weekday and loaded.
    private var dayCounts: [Int] {
        var counts = [Int](repeating: 0, count: 7)
        for day in figures.period.days where figures.table.isLoaded(day) { counts[day.weekday - 1] += 1 }
        return counts
    }

    /// Means over such days, or what happened on the single day.
    private var values: [[Double?]] {
        if isDay { return rows.map { $0.hours.map(Double.init) } }
        return zip(rows, dayCounts).map { row, days in
            row.hours.map { days > 0 ? Double($0) / Double(days) : nil }
        }
    }

    private var summary: String {
        if isDay {
            let sums = rows.map { "\($0.name) \(NumberText.exact($0.hours.reduce(0, +)))" }
            return sums.joined(separator: ", ") + "."
        }
        var top: (weekday: String, hour: Int, value: Double)?
        for (row, values) in zip(rows, values) {
            for (hour, value) in values.enumerated() {
                if let value, value > top?.value ?? -1 { top = (row.name, hour, value) }
            }
        }
        guard let top else { return "No log date of these days is loaded." }
        return "Most on \(top.weekday) from \(HeatMap.name(ofHour: top.hour)):00 on: "
            + "\(NumberText.rounded(Int(top.value.rounded()))) opens in that hour."
    }

    private var note: String {
        (isDay ? "" : summary + " Each field is the mean of such days; the table has the sums. ")
            + "Hours are those of \(figures.table.timeZone)."
    }

    private var table: DataTable {
        let hours = (0..<24).map { hour in (name: HeatMap.name(ofHour: hour), counts: rows.map { $0.hours[hour] }) }
        return DataTable(
            isDay ? "events by hour and action" : "opens by hour and weekday, sums over the loaded days",
            of: (isDay ? [] : [("loaded days", dayCounts)]) + hours,
            [.text("hour") { $0.name }]
                + rows.enumerated().map { index, row in .count(row.name) { $0.counts[index] } })
    }
}
