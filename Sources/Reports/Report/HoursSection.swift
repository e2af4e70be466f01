import Calendar
import Partitions
import SQLite

/// When people open. Of a single day: what happened in each of its hours.
struct HoursSection {
    let figures: ReportFigures
    /// Opens by weekday, Monday first, and hour.
    private let opens: [[Int]]
    /// Events by action and hour.
    private let hours: [String: [Int]]

    init(figures: ReportFigures) throws {
        var opens = [[Int]](repeating: [Int](repeating: 0, count: 24), count: 7)
        var hours: [String: [Int]] = [:]
        try figures.database.checkEnds(of: "day", in: "hourly_actions")
        let sql = """
            SELECT day, hour, action, \(Database.sum("events")) FROM hourly_actions WHERE day BETWEEN ?1 AND ?2
            GROUP BY day, hour, action
            """
        try figures.database.forEach(sql, during: figures.period) { row in
            let (hour, action): (Int, String) = (try row.read(1), try row.read(2))
            let (weekday, events) = (try row.date(0).weekday, try row.count(3))
            guard (0..<24).contains(hour) else { return }
            if action == "open" { opens[weekday - 1][hour] += events }
            hours[action, default: [Int](repeating: 0, count: 24)][hour] += events
        }
        self.figures = figures
        self.opens = opens
        self.hours = hours
    }

    var markup: Markup { figures.period.count == 1 ? day : weekdays }

    private var zone: String { "Hours are those of \(figures.table.timeZone)." }

    // MARK: A single day

    private var day: Markup {
        // The usual actions first.
        let usual = ["arrival", "impression", "click", "open"].filter(hours.keys.contains)
        let actions = (usual + hours.keys.filter { !usual.contains($0) }.sorted()).map { ($0, hours[$0] ?? []) }
        return .section("hours", "The hours of the day") {
            if actions.isEmpty {
                Markup.paragraph("No event fell on this day.")
            } else {
                chart(actions).figure("hours-map", width: 1040, note: zone, table: table(actions))
            }
        }
    }

    private func chart(_ actions: [(name: String, events: [Int])]) -> HeatMap {
        HeatMap(
            title: "Events by hour and action",
            summary: actions.map { "\($0.name) \(NumberText.exact($0.events.reduce(0, +)))" }.joined(separator: ", ")
                + ".", names: actions.map(\.name), values: actions.map { $0.events.map(Double.init) })
    }

    private func table(_ actions: [(name: String, events: [Int])]) -> DataTable {
        DataTable(
            "events by hour and action", of: 0..<24,
            [.text("hour") { HeatMap.name(ofHour: $0) }]
                + actions.map { action in .number(action.name) { NumberText.exact(action.events[$0]) } })
    }

    // MARK: Several days

    private var weekdays: Markup {
        .section("hours", "When people open") {
            if opens.joined().allSatisfy({ $0 == 0 }) {
                Markup.paragraph("There was no open in this period.")
            } else {
                HeatMap(
                    title: "Opens by hour and weekday, mean of a day", summary: summary, names: DateText.weekdays,
                    values: means
                ).figure(
                    "hours-map", width: 1040,
                    note: summary + " Each field is the mean of such days; the table has the sums. \(zone)",
                    table: weekdayTable)
            }
        }
    }

    /// How many of the period's days are of each weekday and loaded.
    private var dayCounts: [Int] {
        var counts = [Int](repeating: 0, count: 7)
        for day in figures.period.days where figures.table.isLoaded(day) { counts[day.weekday - 1] += 1 }
        return counts
    }

    private var means: [[Double?]] {
        zip(opens, dayCounts).map { hours, days in hours.map { days > 0 ? Double($0) / Double(days) : nil } }
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

    private var weekdayTable: DataTable {
        let rows =
            [("loaded days", dayCounts)]
            + (0..<24).map { hour in
                (HeatMap.name(ofHour: hour), opens.map { $0[hour] })
            }
        return DataTable(
            "opens by hour and weekday, sums over the period", of: rows,
            [.text("hour") { $0.0 }]
                + DateText.weekdays.enumerated().map { index, name in .number(name) { NumberText.exact($0.1[index]) } })
    }
}
