import Calendar
import Output
import Partitions
import SQLite

/// All days and log dates of push.db: what is loaded, and how mature it is. Two years have 730 of each.
struct DayTable {
    struct LogDateFacts {
        /// The status of its partition; nil if it is not loaded.
        var status: String?
        /// The messages printed by the load that made the partition.
        var detail: String?
        /// Why the last load was held back or failed; nil if it succeeded.
        var hold: String?
        /// The warnings of the load that made the partition.
        var warnings = LoadWarnings()
        /// Whether somebody has accepted the log date as it is.
        var isAccepted = false
        /// Whether it was loaded with another pipeline file than the one last published with.
        var isOfFormerPipeline = false
    }

    /// A row of `days`.
    struct DayFacts {
        let messages: Int
        let laterLogDates: Int
        let isFinal: Bool
    }

    /// The number of later log dates after which the opens within 24 hours are complete.
    static let maturity = 2

    let timeZone: String
    let windowDays: Int
    private(set) var logDates: [LogDate: LogDateFacts] = [:]
    private(set) var days: [LogDate: DayFacts] = [:]
    /// The findings of the checks at the last publishing.
    private(set) var checkFindings: [CheckFinding] = []
    /// The log dates that are loaded, sorted.
    private(set) var loaded: [LogDate] = []
    private var lag = DateLag()
    /// The day on which most events of the last log date lie: the day before, where the names of files are a day late.
    private(set) var lastDay: LogDate?

    /// The first day for a report of one load if no period was asked for; nil for other reports.
    private(set) var firstDay: LogDate?
    let isOneLoad: Bool
    /// Of the only load, the files that are truncated or damaged: `web1.log.gz is truncated`.
    private(set) var cutFilesOfOneLoad: [String] = []

    /// - Parameter isOneLoad: whether push.db was made for this report only, from some files as one log date. Each day
    ///   then counts as a loaded log date that does not grow any more.
    init(in database: Database, isOneLoad: Bool = false) throws {
        self.isOneLoad = isOneLoad
        timeZone = try database.about("timezone") ?? "UTC"
        windowDays = try database.about("window_days").flatMap { Int($0) } ?? 30
        try database.forEach(Question.page("log dates")) { row in
            logDates[try row.date(0)] = LogDateFacts(
                status: try row.read(1), detail: try row.read(4), hold: try row.read(5),
                isAccepted: try row.read(3) == 1,
                isOfFormerPipeline: try row.read(2) == 1)
        }
        loaded = logDates.filter { $0.value.status != nil }.keys.sorted()
        lastDay = try loaded.last.flatMap { try DayTable.mainDay(of: $0, in: database) ?? $0 }
        if !isOneLoad { lag = try DateLag(in: database) }
        for (date, warnings) in try LoadWarnings.all(in: database) { logDates[date]?.warnings = warnings }
        checkFindings = try CheckFinding.all(in: database)
        try database.forEach(Question.page("days")) { row in
            days[try row.date(0)] = DayFacts(
                messages: try row.count(1), laterLogDates: try row.count(2), isFinal: try row.read(3) == 1)
        }
        guard isOneLoad else { return }
        spreadOneLoad()
        cutFilesOfOneLoad = try database.rows(Question.page("cut files")) { row in
            let (path, status): (String, String) = (try row.read(0), try row.read(1))
            return "\(path.split(separator: "/").last ?? "") is \(status)"
        }
    }

    /// Takes each day of the only load for a log date of its own.
    private mutating func spreadOneLoad() {
        guard let first = days.keys.min(), let last = days.keys.max() else { return }
        loaded = LogDate.dates(from: first, through: last)
        logDates = Dictionary(uniqueKeysWithValues: loaded.map { ($0, LogDateFacts(status: "complete")) })
        days = days.mapValues { DayFacts(messages: $0.messages, laterLogDates: windowDays, isFinal: true) }
        lastDay = last
        // A few late hits must not begin the period, so days with less than 2 % of the busiest day are skipped.
        let most = days.values.map(\.messages).max() ?? 0
        firstDay = days.filter { $0.value.messages * 50 >= most }.keys.min()
    }

    /// The day on which most events of a log date lie.
    private static func mainDay(of date: LogDate, in database: Database) throws -> LogDate? {
        let days = [date.adding(days: -40), date, date.adding(days: 2)].map(\.description)
        let day: String? = try database.value(Question.page("main day"), binding: .of(days[0], days[1], days[2]))
        return day.flatMap { LogDate($0) }
    }

    /// The log date that has the events of a day.
    func logDate(of day: LogDate) -> LogDate { lag.logDate(of: day) }

    /// The last day whose log date is loaded.
    var lastLoadedDay: LogDate? {
        loaded.last.map { last in last.adding(days: -logDate(of: last).days(since: last)) }
    }

    /// The state of a log date.
    func state(_ date: LogDate) -> LoadState {
        let facts = logDates[date]
        if facts?.hold != nil { return .heldBack }
        if facts?.isAccepted == true { return .accepted }
        switch facts?.status {
        case "complete": return facts?.warnings.haveGaps == true ? .lacking : .complete
        case .some: return .partial
        case nil:
            guard let first = loaded.first, let last = loaded.last, first < date, date < last else { return .outside }
            return .missing
        }
    }

    func warnings(of date: LogDate) -> LoadWarnings { logDates[date]?.warnings ?? LoadWarnings() }

    /// The field for a log date: a letter for a problem, and a style for its colour.
    func field(_ date: LogDate) -> DateStrip.Field {
        let state = state(date)
        let later = loadedLogDates(after: date, inReachOf: date)
        let letter = state == .complete && !warnings(of: date).isEmpty ? "W" : state.letter
        switch state {
        case .complete, .accepted: return (letter, later >= DayTable.maturity ? "complete" : "young")
        case .lacking, .partial, .heldBack: return (letter, "fault")
        case .missing, .outside: return (letter, "gap")
        }
    }

    /// Whether the log date of any day of a period is loaded, or any event fell on its days.
    func hasFigures(during period: ReportPeriod) -> Bool { period.days.contains(where: hasFigures) }

    func hasFigures(_ day: LogDate) -> Bool { isLoaded(day) || days[day] != nil }

    /// Whether the log date of a day is loaded.
    func isLoaded(_ day: LogDate) -> Bool { logDates[logDate(of: day)]?.status != nil }

    /// Whether the log date of a day is loaded and nothing is known to be missing. Only such days are compared.
    func isComplete(_ day: LogDate) -> Bool { state(logDate(of: day)) == .complete }

    /// The number of loaded log dates after that of a day that may still add to it. `days` has it, except for a day without
    /// events.
    func laterLogDates(_ day: LogDate) -> Int {
        let date = logDate(of: day)
        if date == day, let facts = days[day] { return facts.laterLogDates }
        return loadedLogDates(after: date, inReachOf: day)
    }

    private func loadedLogDates(after date: LogDate, inReachOf day: LogDate) -> Int {
        loaded.count { date < $0 && $0.isWithin(windowDays, of: day) }
    }

    /// Whether at least `needed` later log dates are loaded. Also true for a day that is not loaded and has no events,
    /// since it will not grow.
    func isMature(_ day: LogDate, after needed: Int = maturity) -> Bool {
        !hasFigures(day) || laterLogDates(day) >= needed
    }

    func isFinal(_ day: LogDate) -> Bool {
        days[day]?.isFinal ?? (loaded.last.map { $0.days(since: day) > windowDays } ?? false)
    }

    /// Whether one of some days has figures that still grow.
    func isAnyProvisional(of some: [LogDate]) -> Bool { some.contains { days[$0] != nil && !isFinal($0) } }

    /// What is told of figures with such a day.
    static let provisional = "Provisional: late hits can still add to these figures."
}
