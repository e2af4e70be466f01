import Calendar
import Counting
import Messages
import Partitions
import SQLite

/// What the sections of a report share: the figures, and how the periods are called.
struct ReportFigures {
    /// For figures that only one section shows.
    let database: Database
    /// The place in an archive; nil for a page that stands alone. A page in an archive tells nothing of days that others are
    /// about, so that a new log date changes no page but those that it has figures for.
    let place: ArchivedPeriod?
    /// `4 weeks earlier`; nil if nothing is compared.
    let comparedName: String?
    let table: DayTable
    let now: PeriodFigures
    /// Nil if nothing is compared, or if there is nothing to compare with.
    let before: PeriodFigures?
    /// The days of the period whose log dates are complete, and those of their counterparts too: only these are compared.
    let comparableDays: [LogDate]
    /// The rows of `daily_totals` of all days, up to the period's last, by which it is judged what is usual: those of
    /// complete log dates whose opens are in.
    let usual: [LogDate: [String: Totals]]

    /// So many days before the period say what is usual: 12 weeks.
    private static let earlierDays = 84

    var period: ReportPeriod { now.period }

    /// Reads what a report needs.
    init(
        of period: ReportPeriod, comparedWith compared: ReportPeriod?, _ request: ReportRequest, _ table: DayTable,
        in database: Database
    ) throws {
        self.database = database
        place = request.place
        comparedName = request.comparison.weeks(for: period).map {
            $0 == 1 ? "a week earlier" : "\(NumberText.exact($0)) weeks earlier"
        }
        let shift = (compared?.first.dayNumber ?? 0) - period.first.dayNumber
        comparableDays = period.days.filter { day in
            table.isComplete(day) && (compared == nil || table.isComplete(day.adding(days: shift)))
        }
        let left = Set(period.days).subtracting(comparableDays)
        self.table = table
        let earlier = ReportPeriod(
            first: period.first.adding(days: -ReportFigures.earlierDays), last: period.first.adding(days: -1))
        let now = try PeriodFigures(of: period, in: database, withoutCompared: compared == nil ? [] : left)
        self.now = now
        usual = try Totals.all(during: earlier, in: database).merging(now.totals) { $1 }
            .filter { table.isComplete($0.key) && table.isMature($0.key) }
        before = try compared.map { compared in
            try PeriodFigures(of: compared, in: database, withoutCompared: Set(left.map { $0.adding(days: shift) }))
        }
    }

    /// Why no day can be compared, where none can.
    func whyNothingIsCompared(_ comparedName: String) -> String {
        guard counterparts(period.days).contains(where: table.isComplete) else {
            return "no log date \(comparedName) is complete"
        }
        return "of each day a log date is missing or partial, in this period or \(comparedName)"
    }

    /// Whether there is anything to compare.
    var isCompared: Bool { before != nil && !comparableDays.isEmpty }

    /// Sums of the days that are compared, or of some of them, and of their counterparts.
    func compared(_ days: [LogDate]? = nil, platform: String? = nil) -> (now: Totals, before: Totals) {
        let days = days ?? comparableDays
        return (
            now.sum(days, platform: platform), before?.sum(counterparts(days), platform: platform) ?? Totals()
        )
    }

    /// The days that opens within 24 hours are counted on: fewer than 2 later log dates leave a day out, and its
    /// counterpart.
    var matureDays: [LogDate] { mature(period.days) }

    /// Of these, the ones that may be compared.
    var comparableMatureDays: [LogDate] { mature(comparableDays) }

    private func mature(_ days: [LogDate]) -> [LogDate] {
        days.filter { ([$0] + counterparts([$0])).allSatisfy { table.isMature($0) } }
    }

    /// Some of the period's days, moved into the compared period.
    func counterparts(_ days: [LogDate]) -> [LogDate] {
        guard let before else { return [] }
        return days.map { $0.adding(days: before.period.first.dayNumber - period.first.dayNumber) }
    }

    /// Whether any log date of the period is loaded.
    var hasLogDates: Bool { period.days.contains(where: table.isLoaded) }

    /// The days of push.db that are in neither period, and their messages.
    var outside: [LogDate: Int] {
        table.days.filter { !period.contains($0.key) && !(before?.period.contains($0.key) ?? false) }
            .mapValues(\.messages)
    }

    // MARK: What is told of the days

    /// The heading of a column with figures of the compared period.
    var comparedColumn: String { comparedName ?? "before" }

    /// What the change of a headline starts from. Beside a count of more days, the former count would mislead.
    func base(of former: String) -> String {
        let days = comparableDays.count
        return days < period.count
            ? "on \(NumberText.exact(days)) of \(Text.plural(period.count, "day"))" : "from \(former)"
    }

    /// What is to be known about the figures of a day: `partial`, `not loaded`, `provisional` or `final`.
    func state(_ day: LogDate) -> String {
        if !table.isComplete(day) { return table.isLoaded(day) ? "partial" : "not loaded" }
        guard table.days[day] != nil else { return "no events" }
        return table.isFinal(day) ? "final" : "provisional"
    }

    /// Whether a day of the period, or of those compared, still grows.
    var isProvisional: Bool {
        (period.days + (before?.period.days ?? [])).contains { table.days[$0] != nil && !table.isFinal($0) }
    }

    /// The days whose figures still grow most, by their place in the period.
    var growing: Set<Int> {
        Set(period.days.indices.filter { !table.isMature(period.days[$0]) })
    }
}

/// The figures of a period that several sections show. Others are read by the section that shows them.
struct PeriodFigures {
    let period: ReportPeriod
    /// The rows of `daily_totals`, by day and platform.
    let totals: [LogDate: [String: Totals]]
    /// Those with messages in the period, and those that were sent in it and have none, in any order.
    let deliveries: [DeliveryResult]

    /// - Parameter left: days that are not compared.
    init(of period: ReportPeriod, in database: Database, withoutCompared left: Set<LogDate>) throws {
        self.period = period
        totals = try Totals.all(during: period, in: database)
        deliveries = try DeliveryResult.all(during: period, in: database, withoutCompared: left)
    }

    /// The sums over days, of all platforms or of one.
    func sum(_ days: [LogDate], platform: String? = nil) -> Totals {
        var sum = Totals()
        for day in days {
            for (name, totals) in self.totals[day] ?? [:] where platform == nil || platform == name { sum += totals }
        }
        return sum
    }

    func sum(platform: String? = nil) -> Totals { sum(period.days, platform: platform) }

    /// The deliveries that began on some days and say how many were sent; those with complete logs if they are compared.
    func sent(on days: [LogDate], _ areCompared: Bool = false) -> [DeliveryResult] {
        let days = Set(days)
        return deliveries.filter {
            $0.sent != nil && $0.firstDay.map(days.contains) == true && (!areCompared || $0.isWithCompleteLogs)
        }
    }

    /// The platforms that have rows, in the usual order.
    var platforms: [String] {
        let found = Set(totals.values.flatMap(\.keys))
        let usual = ["android", "ios", "web", "unknown"]
        return usual.filter(found.contains) + found.subtracting(usual).sorted()
    }
}

/// Counts of `daily_totals`, added up.
struct Totals: Equatable {
    private(set) var events = 0
    private(set) var duplicates = 0
    private var funnel = [Int](repeating: 0, count: FunnelColumn.allCases.count)

    /// The report shows no column that settled log dates may lack.
    private static let known = FunnelColumn.allCases.filter { !$0.mayBeUnknown }

    /// The rows of a period, by day and platform.
    static func all(during period: ReportPeriod, in database: Database) throws -> [LogDate: [String: Totals]] {
        try database.checkEnds(of: "day", in: "daily_totals")
        var all: [LogDate: [String: Totals]] = [:]
        let columns = known.map(\.name).joined(separator: ", ")
        let sql = "SELECT day, platform, events, duplicates, \(columns) FROM daily_totals WHERE day BETWEEN ?1 AND ?2"
        try database.forEach(sql, during: period) { row in
            var totals = Totals()
            totals.events = try row.count(2)
            totals.duplicates = try row.count(3)
            for (place, column) in known.enumerated() { totals.funnel[column.rawValue] = try row.count(4 + place) }
            all[try row.date(0), default: [:]][try row.read(1)] = totals
        }
        return all
    }

    subscript(column: FunnelColumn) -> Int { funnel[column.rawValue] }

    static func += (a: inout Totals, b: Totals) {
        a.events += b.events
        a.duplicates += b.duplicates
        for index in a.funnel.indices { a.funnel[index] += b.funnel[index] }
    }

    func share(_ part: FunnelColumn, of whole: FunnelColumn) -> Proportion {
        Proportion(part: self[part], whole: self[whole])
    }

    /// A rate of sums; nil if there is nothing to divide by.
    func rate(_ part: FunnelColumn, of whole: FunnelColumn) -> Double? { share(part, of: whole).rate }
}

extension Database {
    /// The rows of a query about the days from ?1 to ?2. The tables of figures have keys that begin with the day, so that only
    /// the rows of these days are read.
    func forEach(_ sql: String, during period: ReportPeriod, _ body: (Statement) throws -> Void) throws {
        try forEach(sql, .of(period.first.description, period.last.description), body)
    }

    /// SQL for the sum of a column of counts, under the column's name. It is NULL if a value is no count: SQLite itself takes a
    /// text for 0.
    static func sum(_ column: String) -> String {
        "CASE WHEN total(typeof(\(column)) <> 'integer' OR \(column) < 0) = 0 THEN sum(\(column)) END AS \(column)"
    }
}
