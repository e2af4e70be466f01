import Calendar
import SQLite

// The tables that follow from the days and the log dates as a whole.

extension OutputContent {
    /// The key of `about` for the program's version. Another version alone is neither a change nor a fault.
    static let versionKey = "version"

    /// Writes `days`, `calendar` and `about`. Returns the number of rows that differed.
    func writeDays(to database: Database, _ digests: inout TableDigests) throws -> Int {
        var changes = try OutputSchema.days.replaceRows(dayRows, in: database)
        changes += try OutputSchema.calendar.replaceRows(calendarRows, in: database)
        for (key, value) in about {
            let row = [DatabaseValue].of(key, value)
            let rows = try OutputSchema.about.replaceRows([row], of: key, in: database)
            if key != OutputContent.versionKey { changes += rows }
        }
        // Without the digests of the last command, nothing else shows that others have added rows.
        let keys = about.map { "'\($0.key)'" }.joined(separator: ", ")
        changes += try Row.fetchAll(database, sql: "DELETE FROM about WHERE key NOT IN (\(keys)) RETURNING 1").count
        setDays(&digests)
        try digests.read(OutputSchema.about, in: database)
        return changes
    }

    /// Sets the digests of these tables.
    func setDays(_ digests: inout TableDigests) {
        digests.set(dayRows, of: OutputSchema.days)
        digests.set(calendarRows, of: OutputSchema.calendar)
        for (key, value) in about {
            digests.set([.of(key, value)], of: OutputSchema.about, date: key)
        }
    }

    private var logDates: [Int32] { basis.partitions.summaries.map(\.logDate) }

    /// By log date: its status. A log date that is not loaded has none.
    private var statuses: [Int32: String] {
        Dictionary(uniqueKeysWithValues: basis.partitions.summaries.map { ($0.logDate, $0.status.rawValue) })
    }

    private var dayRows: [[DatabaseValue]] {
        let (logDates, statuses, windowDays) = (logDates, statuses, basis.settings.windowDays)
        return digests.sorted { $0.key < $1.key }.map { day, digest in
            let daysLater = logDates.map { Int($0) - Int(day) }
            let later = windowDays > 0 ? daysLater.count { (1...windowDays).contains($0) } : 0
            let isFinal = daysLater.contains { $0 > windowDays }
            return dayValues(day) + .of(statuses[day], digest.events, digest.messages, later, isFinal ? 1 : 0)
        }
    }

    private var calendarRows: [[DatabaseValue]] {
        let statuses = statuses
        var days = Set(digests.keys)
        if let first = logDates.first, let last = logDates.last { days.formUnion(first...last) }
        return days.sorted().map { day in
            let date = CalendarText.date(ofDay: day)
            let weekday = CivilCalendar.weekday(ofDayNumber: Int(day))
            return dayValues(day)
                + .of(
                    statuses[day], CivilCalendar.date(ofDayNumber: Int(day)).year, String(date.prefix(7)),
                    CalendarText.isoWeek(ofDay: day), CalendarText.date(ofDay: day - Int32(weekday) + 1), weekday,
                    weekday > 5 ? 1 : 0)
        }
    }

    /// The rows of `about`.
    private var about: [(key: String, value: String?)] {
        let settings = basis.settings
        return [
            ("pipeline", settings.pipeline), ("timezone", settings.zone.name),
            ("window_days", String(settings.windowDays)),
            ("first_day", digests.keys.min().map(CalendarText.date)),
            ("last_day", digests.keys.max().map(CalendarText.date)),
            ("first_log_date", logDates.first.map(CalendarText.date)),
            ("last_log_date", logDates.last.map(CalendarText.date)),
            ("schema_version", String(OutputSchema.version)), (OutputContent.versionKey, settings.programVersion),
        ]
    }
}
