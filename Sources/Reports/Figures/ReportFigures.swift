import Calendar
import SQLite

/// The figures that sections of a report share.
struct ReportFigures {
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
        of period: ReportPeriod, comparedWith compared: ReportPeriod?, _ table: DayTable, in database: Database
    ) throws {
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

    /// Sums of the days that are compared, and of their counterparts; nil if there is nothing to compare.
    func compared(platform: String? = nil) -> (now: Totals, before: Totals)? {
        compared(comparableDays, platform: platform)
    }

    /// The same of some of these days.
    func compared(_ days: [LogDate], platform: String? = nil) -> (now: Totals, before: Totals)? {
        guard let before, !days.isEmpty else { return nil }
        return (now.sum(days, platform: platform), before.sum(counterparts(days), platform: platform))
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
}
