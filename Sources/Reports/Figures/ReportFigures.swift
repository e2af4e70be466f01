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
    let groups: [DeliveryGroup?]
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
        of period: ReportPeriod, comparedWith compared: ReportPeriod?, _ request: ReportRequest, _ table: DayTable,
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
            during: period, in: database, table, withoutCompared: compared == nil ? [] : left)
        let former = try compared.map { compared in
            try DeliveryResult.all(
                during: compared, in: database, table, withoutCompared: Set(left.map { $0.adding(days: shift) }))
        }
        let found = Set((deliveries + (former ?? [])).map(\.group))
        groups = found.count > 1 ? DeliveryGroup.allCases.filter(found.contains) : [nil]
        let areApart = found.count > 1
        now = try PeriodFigures(of: period, deliveries, in: database, areGroupsApart: areApart)
        before = try compared.map {
            try PeriodFigures(of: $0, former ?? [], in: database, areGroupsApart: areApart)
        }
        let earlier = ReportPeriod(
            first: period.first.adding(days: -ReportFigures.earlierDays), last: period.first.adding(days: -1))
        let totals = try PeriodFigures.totals(during: earlier, in: database)
        usual = totals.merging(now.totals) { $1 }.filter { table.isComplete($0.key) && table.isMature($0.key) }
    }

    /// What a group is called: `campaigns`, `other messages`; nil where all deliveries are of one group.
    func name(of group: DeliveryGroup?) -> String? {
        switch group {
        case nil: nil
        case .others: "other messages"
        case .file: groups.contains(.events) ? "campaigns of the delivery files" : "campaigns"
        case .events: groups.contains(.file) ? "campaigns of the events" : "campaigns"
        }
    }

    /// What is added to the caption of a table: `, campaigns`.
    func suffix(_ group: DeliveryGroup?) -> String { name(of: group).map { ", \($0)" } ?? "" }

    /// Something for each group, under its name where there are several.
    func apart(@Markup.Builder _ content: (DeliveryGroup?) -> Markup) -> Markup {
        groups.reduce(into: Markup.nothing) { all, group in
            if let name = name(of: group) {
                all.append(.element("h3") { name.prefix(1).uppercased() + name.dropFirst() })
            }
            all.append(content(group))
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
    func compared(
        _ days: [LogDate]? = nil, platform: String? = nil, of group: DeliveryGroup? = nil
    ) -> (now: Totals, before: Totals) {
        let days = days ?? comparableDays
        return (
            now.sum(days, platform: platform, of: group),
            before?.sum(counterparts(days), platform: platform, of: group) ?? Totals()
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
            ? "on \(NumberText.exact(days)) of \(Text.plural(period.count, of: "day"))" : "from \(former)"
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
