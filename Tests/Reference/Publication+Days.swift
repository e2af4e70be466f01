// The tables of days and of what the whole output has.

extension Publication {
    private var allDays: Set<Day> { Set(events.map(\.local.day)) }

    package var days: OutputTable {
        OutputTable(
            "days", Columns.days,
            allDays.map { day in
                let later = partitions.map { $0.logDate.number - day.number }
                return dayCells(day) + [
                    logDateStatus(day), .integer(events.count { $0.local.day == day && $0.counts }),
                    .integer(messages.count { $0.day == day }),
                    .integer(later.count { $0 > 0 && $0 <= windowDays }),
                    .integer(later.contains { $0 > windowDays } ? 1 : 0),
                ]
            })
    }

    package var calendar: OutputTable {
        let logDates = partitions.map(\.logDate.number)
        var days = allDays
        if let first = logDates.min(), let last = logDates.max() {
            for number in first...last { days.insert(Day(number: number)) }
        }
        return OutputTable(
            "calendar", Columns.calendar,
            days.map { day in
                let (year, month, _) = day.parts
                let monday = day.monday
                // The year has the week that has its 4th of January as the first one.
                let yearOfWeek = max(Day(number: monday.number + 3).parts.year, 0)
                let first = Day(year: Day(number: monday.number + 3).parts.year, month: 1, day: 4)?.monday ?? monday
                let week = (monday.number - first.number) / 7 + 1
                let weekday = day.number - monday.number + 1
                return dayCells(day) + [
                    logDateStatus(day), .integer(year), .text("\(padded(year, 4))-\(padded(month, 2))"),
                    .text("\(padded(yearOfWeek, 4))-W\(padded(week, 2))"),
                    .text(max(monday, Day(number: -719_528)).description), .integer(weekday),
                    .integer(weekday >= 6 ? 1 : 0),
                ]
            })
    }

    /// By day: its events, its messages, and those of them that were opened. Days of which all are 0 are left out.
    package var sums: [Day: [Int]] {
        var sums: [Day: [Int]] = [:]
        for day in allDays.union(messages.map(\.day)) {
            let ofDay = messages.filter { $0.day == day }
            let counts = [
                events.count { $0.local.day == day && $0.counts }, ofDay.count, ofDay.count { $0.has("open") },
            ]
            if counts != [0, 0, 0] { sums[day] = counts }
        }
        return sums
    }

    private func logDateStatus(_ day: Day) -> Cell {
        guard let partition = partitions.first(where: { $0.logDate == day }) else { return .null }
        return .text(partition.isComplete(by: pipeline) ? "complete" : "partial")
    }

    /// Without the version of the program, and without what is about the history.
    package var about: OutputTable {
        let (days, logDates) = (allDays, partitions.map(\.logDate))
        let values: [(String, String?)] = [
            ("timezone", timeZone), ("window_days", String(windowDays)), ("first_day", days.min()?.description),
            ("last_day", days.max()?.description), ("first_log_date", logDates.min()?.description),
            ("last_log_date", logDates.max()?.description), ("schema_version", "7"),
        ]
        return OutputTable(
            "about", Columns.about, values.map { [.text($0), $1.map { .text($0) } ?? .null] })
    }
}

extension Day {
    /// The Monday of the day's week. 1970-01-05 was one.
    fileprivate var monday: Day {
        Day(number: floored(number - 4, by: 7) * 7 + 4)
    }
}
