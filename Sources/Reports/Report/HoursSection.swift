import Calendar
import Counting
import Partitions
import SQLite

extension PageSection {
    /// The hours in which people open. For a single day, the events of each hour.
    static func hours(of figures: ReportFigures) throws -> PageSection {
        try figures.period.count == 1 ? hoursOfDay(in: figures) : hoursOfWeekdays(in: figures)
    }

    /// The events of each action, the usual ones first.
    private static func hoursOfDay(in figures: ReportFigures) throws -> PageSection {
        let hours = try figures.hours { $1 }
        let usual = Stages.actionsOfDevices
        let names = usual.filter(hours.keys.contains) + hours.keys.filter { !usual.contains($0) }.sorted()
        let sums = names.map { "\($0) \(NumberText.exact(hours[$0]?.reduce(0, +) ?? 0))" }
        let map = HeatMap(names: names, values: names.map { (hours[$0] ?? []).map(Double.init) })
        return PageSection(
            "hours", title: "The hours of the day", nothing: map.isEmpty ? "No event fell on this day." : nil
        ) {
            Figure(
                id: "hours-map", title: "Events by hour and action", summary: sums.joined(separator: ", ") + ".",
                note: "Hours are those of \(figures.table.timeZone).", chart: map,
                table: table("events by hour and action", of: hours, names: names))
        }
    }

    /// The opens of the loaded days of each weekday, Monday first.
    private static func hoursOfWeekdays(in figures: ReportFigures) throws -> PageSection {
        let hours = try figures.hours { day, action in
            action == "open" && figures.table.isLoaded(day) ? DateText.weekday(day) : nil
        }
        let loaded = figures.period.days.filter(figures.table.isLoaded).map(DateText.weekday)
        let days = DateText.weekdays.map { name in loaded.count { $0 == name } }
        let means = zip(DateText.weekdays, days).map { name, days in
            (0..<24).map { hour in days > 0 ? Double(hours[name]?[hour] ?? 0) / Double(days) : nil }
        }
        let map = HeatMap(names: DateText.weekdays, values: means)
        let top = map.highest.map { top in
            "Most on \(top.name) from \(HeatMap.name(ofHour: top.hour)):00 on: "
                + "\(NumberText.rounded(Int(top.value.rounded()))) opens in that hour."
        }
        let summary = top ?? "No log date of these days is loaded."
        let nothing = "There was no open on the loaded days of this period."
        return PageSection("hours", title: "When people open", nothing: map.isEmpty ? nothing : nil) {
            Figure(
                id: "hours-map", title: "Opens by hour and weekday, mean of a day", summary: summary,
                note: summary + " Each field is the mean of such days; the table has the sums. "
                    + "Hours are those of \(figures.table.timeZone).", chart: map,
                table: table(
                    "opens by hour and weekday, sums over the loaded days", of: hours, names: DateText.weekdays,
                    under: [("loaded days", days)]))
        }
    }

    private static func table(
        _ caption: String, of hours: [String: [Int]], names: [String], under head: [(name: String, counts: [Int])] = []
    ) -> DataTable {
        let rows = (0..<24).map { hour in
            (name: HeatMap.name(ofHour: hour), counts: names.map { hours[$0]?[hour] ?? 0 })
        }
        return DataTable(
            caption, of: head + rows,
            columns: [.text("hour") { $0.name }]
                + names.enumerated().map { index, name in .count(name) { $0.counts[index] } })
    }
}

extension ReportFigures {
    /// The events of each hour, by name.
    /// - Parameter name: the name under which events of a day and action are counted; nil to leave them out.
    fileprivate func hours(by name: (_ day: LogDate, _ action: String) -> String?) throws -> [String: [Int]] {
        var hours: [String: [Int]] = [:]
        try database.checkEnds(of: "day", in: "hourly_actions")
        try database.forEach(Question.page("hours"), during: period) { row in
            let (hour, events): (Int, Int) = (try row.read(1), try row.count(3))
            guard (0..<24).contains(hour), let name = name(try row.date(0), try row.read(2)) else { return }
            hours[name, default: [Int](repeating: 0, count: 24)][hour] += events
        }
        return hours
    }
}
