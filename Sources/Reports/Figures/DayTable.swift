import Calendar

/// All days and log dates of push.db: what is loaded, and how mature it is.
struct DayTable {
    /// From so many later log dates on, the opens within 24 hours are in.
    static let maturity = 2

    var timeZone = "UTC"
    var windowDays = 30
    var logDates: [LogDate: LogDateFacts] = [:]
    var days: [LogDate: DayFacts] = [:]

    /// The log dates that are loaded, sorted.
    private(set) var loaded: [LogDate] = []

    mutating func sortLogDates() {
        loaded = logDates.filter(\.value.isLoaded).keys.sorted()
    }

    func state(_ date: LogDate) -> LoadState {
        let facts = logDates[date]
        if let verdict = facts?.verdict, verdict == "held_back" || verdict == "failed" { return .heldBack }
        switch facts?.status {
        case "complete": return .complete
        case .some: return .partial
        case nil:
            guard let first = loaded.first, let last = loaded.last, first < date, date < last else { return .outside }
            return .missing
        }
    }

    /// Whether any log date of a period is loaded, or any event fell on its days.
    func hasFigures(_ period: ReportPeriod) -> Bool {
        period.days.contains(where: hasFigures)
    }

    func hasFigures(_ day: LogDate) -> Bool { isLoaded(day) || days[day] != nil }

    func isLoaded(_ date: LogDate) -> Bool { logDates[date]?.isLoaded ?? false }

    /// Whether it is loaded, and no file of it is missing or damaged. Only such days are compared.
    func isComplete(_ date: LogDate) -> Bool { logDates[date]?.status == "complete" }

    /// As in `days`; of a day without events it is counted.
    func laterLogDates(_ day: LogDate) -> Int {
        if let facts = days[day] { return facts.laterLogDates }
        return loaded.filter { day < $0 && $0.dayNumber - day.dayNumber <= windowDays }.count
    }

    /// Whether so many later log dates are loaded. A day that is not loaded and has no events will not grow.
    func isMature(_ day: LogDate, _ needed: Int = maturity) -> Bool {
        !hasFigures(day) || laterLogDates(day) >= needed
    }

    func isFinal(_ day: LogDate) -> Bool {
        days[day]?.isFinal ?? (loaded.last.map { $0.dayNumber - day.dayNumber > windowDays } ?? false)
    }
}
