import Calendar
import Counting
import Messages
import Partitions
import SQLite

/// The figures and names that the sections of a report share.
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
    /// The groups of deliveries whose rates are shown separately. With only one group: a single nil, for all
    /// deliveries.
    let separateGroups: [DeliveryGroup?]
    /// The days whose log date is complete, and whose counterpart's log date is too. Only these are compared.
    let comparableDays: [LogDate]
    /// The rows of `daily_totals` that tell what is usual: of the days before the period and in it whose log dates are
    /// complete and whose opens are in.
    let usual: [LogDate: [String: Totals]]

    /// The number of days before the period that tell what is usual: 12 weeks.
    private static let earlierDays = 84

    var period: ReportPeriod { now.period }

    /// The page's place in an archive; nil for a page by itself. A page in an archive says nothing about days of other
    /// pages. So a new log date changes only the pages with its own figures.
    var place: ArchivedPage? { request.place }

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
            during: period, withoutCompared: compared == nil ? [] : left, with: table, in: database
        ).judged(with: table)
        let former = try compared.map { compared in
            try DeliveryResult.all(
                during: compared, withoutCompared: Set(left.map { $0.adding(days: shift) }), with: table, in: database
            ).judged(with: table)
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

    /// Why no day can be compared. To be used only if that is so.
    func whyNothingIsCompared(with comparedName: String) -> String {
        guard counterparts(of: period.days).contains(where: table.isComplete) else {
            return "no log date \(comparedName) is complete"
        }
        return "of each day a log date is missing or partial, in this period or \(comparedName)"
    }

    /// Whether there is anything to compare.
    var isCompared: Bool { before != nil && !comparableDays.isEmpty }

    /// The days for figures about opens within 24 hours. A day is left out if it, or its counterpart, has fewer than 2
    /// later log dates.
    var matureDays: [LogDate] { mature(period.days) }

    /// The comparable days for figures about opens within 24 hours.
    var comparableMatureDays: [LogDate] { mature(comparableDays) }

    private func mature(_ days: [LogDate]) -> [LogDate] {
        days.filter { ([$0] + counterparts(of: [$0])).allSatisfy { table.isMature($0) } }
    }

    /// The counterparts of the given days in the compared period.
    func counterparts(of days: [LogDate]) -> [LogDate] {
        guard let before else { return [] }
        return days.map { $0.adding(days: before.period.first.dayNumber - period.first.dayNumber) }
    }

    /// The heading of a column with figures of the compared period.
    var comparedColumn: String { comparedName ?? "before" }

    /// The note about which days changes compare; nil if they compare all.
    var comparedNote: String? { comparedNote(of: comparableDays, among: period.days) }

    func comparedNote(of days: [LogDate], among all: [LogDate]) -> String? {
        guard isCompared, let comparedName, days.count < all.count else { return nil }
        return "Changes compare \(days.count) of \(all.count) days: of the others a log date is missing or not "
            + "complete, in this period or \(comparedName)."
    }

    /// The base of a headline's change. If only some days are compared, the former count would mislead, so the number
    /// of days is given.
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

    /// Whether a day of either period still grows.
    var isProvisional: Bool { table.isAnyProvisional(of: period.days + (before?.period.days ?? [])) }

    /// The indexes of the days that still grow most.
    var growing: Set<Int> {
        Set(period.days.indices.filter { !table.isMature(period.days[$0]) })
    }
}
