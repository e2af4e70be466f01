import Calendar
import Counting
import Messages
import Partitions
import SQLite

/// What the sections of a report share: the figures, and how the periods are called.
struct ReportFigures {
    /// For figures that only one section shows.
    let database: Database
    let request: ReportRequest
    /// `4 weeks earlier`; nil if nothing is compared.
    let comparedName: String?
    let table: DayTable
    let now: PeriodFigures
    /// Nil if nothing is compared, or if there is nothing to compare with.
    let before: PeriodFigures?
    /// The groups of deliveries whose rates stand apart; only nil, which stands for all, where there is but one.
    let separateGroups: [DeliveryGroup?]
    /// The days of the period whose log dates are complete, and those of their counterparts too: only these are compared.
    let comparableDays: [LogDate]
    /// The rows of `daily_totals` of all days, up to the period's last, by which it is judged what is usual: those of
    /// complete log dates whose opens are in.
    let usual: [LogDate: [String: Totals]]

    /// So many days before the period say what is usual: 12 weeks.
    private static let earlierDays = 84

    var period: ReportPeriod { now.period }

    /// The place in an archive; nil for a page that stands alone. A page in an archive tells nothing of days that others are
    /// about, so that a new log date changes no page but those that it has figures for.
    var place: ArchivedPage? { request.place }

    /// Reads what a report needs.
    init(
        of period: ReportPeriod, comparedWith compared: ReportPeriod?, as request: ReportRequest, with table: DayTable,
        in database: Database
    ) throws {
        self.database = database
        self.request = request
        self.table = table
        comparedName = request.comparison.weeks(for: period).map {
            $0 == 1 ? "a week earlier" : "\(NumberText.exact($0)) weeks earlier"
        }
        let shift = (compared?.first.dayNumber ?? 0) - period.first.dayNumber
        let comparable = period.days.filter { day in
            table.isComplete(day) && (compared == nil || table.isComplete(day.adding(days: shift)))
        }
        comparableDays = comparable
        let left = Set(period.days).subtracting(comparable)
        let deliveries = try DeliveryResult.all(
            during: period, withoutCompared: compared == nil ? [] : left, with: table, in: database)
        let former = try compared.map { compared in
            try DeliveryResult.all(
                during: compared, withoutCompared: Set(left.map { $0.adding(days: shift) }), with: table, in: database)
        }
        let found = Set((deliveries + (former ?? [])).map(\.group))
        let groups = found.count > 1 ? DeliveryGroup.allCases.filter(found.contains) : []
        separateGroups = groups.isEmpty ? [nil] : groups
        now = try PeriodFigures(of: period, deliveries, apart: groups, in: database)
        before = try compared.map { try PeriodFigures(of: $0, former ?? [], apart: groups, in: database) }
        let earlier = ReportPeriod(
            first: period.first.adding(days: -ReportFigures.earlierDays), last: period.first.adding(days: -1))
        let totals = try PeriodFigures.totals(during: earlier, in: database)
        usual = totals.merging(now.totals) { $1 }.filter { table.isComplete($0.key) && table.isMature($0.key) }
    }

    // MARK: What is compared

    /// Why no day can be compared, where none can.
    func whyNothingIsCompared(with comparedName: String) -> String {
        guard counterparts(of: period.days).contains(where: table.isComplete) else {
            return "no log date \(comparedName) is complete"
        }
        return "of each day a log date is missing or partial, in this period or \(comparedName)"
    }

    /// Whether there is anything to compare.
    var isCompared: Bool { before != nil && !comparableDays.isEmpty }

    /// The days that opens within 24 hours are counted on: fewer than 2 later log dates leave a day out, and its
    /// counterpart.
    var matureDays: [LogDate] { mature(period.days) }

    /// Of these, the ones that may be compared.
    var comparableMatureDays: [LogDate] { mature(comparableDays) }

    private func mature(_ days: [LogDate]) -> [LogDate] {
        days.filter { ([$0] + counterparts(of: [$0])).allSatisfy { table.isMature($0) } }
    }

    /// Some of the period's days, moved into the compared period.
    func counterparts(of days: [LogDate]) -> [LogDate] {
        guard let before else { return [] }
        return days.map { $0.adding(days: before.period.first.dayNumber - period.first.dayNumber) }
    }

    /// The heading of a column with figures of the compared period.
    var comparedColumn: String { comparedName ?? "before" }

    /// What the change of a headline starts from. Beside a count of more days, the former count would mislead.
    func base(of former: String) -> String {
        let days = comparableDays.count
        return days < period.count
            ? "on \(NumberText.exact(days)) of \(Text.plural(period.count, of: "day"))" : "from \(former)"
    }

    // MARK: What is told of the days

    /// Whether any log date of the period is loaded.
    var hasLogDates: Bool { period.days.contains(where: table.isLoaded) }

    /// The days of push.db that are in neither period, and their messages.
    var outside: [LogDate: Int] {
        table.days.filter { !period.contains($0.key) && !(before?.period.contains($0.key) ?? false) }
            .mapValues(\.messages)
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
