import Calendar
import Counting

/// Everything that a report shows, in numbers.
struct ReportFigures {
    let table: DayTable
    let now: PeriodFigures
    /// Nil if nothing is compared, or if there is nothing to compare with.
    let before: PeriodFigures?
    /// The days of the period whose log dates are complete, and those of their counterparts too: only these are compared.
    let comparableDays: [LogDate]

    var period: ReportPeriod { now.period }

    /// Reads what a report needs.
    init(_ reader: FigureReader, _ table: DayTable, _ period: ReportPeriod, _ compared: ReportPeriod?) throws {
        let shift = (compared?.first.dayNumber ?? 0) - period.first.dayNumber
        comparableDays = period.days.filter { day in
            table.isComplete(day) && (compared == nil || table.isComplete(day.adding(days: shift)))
        }
        let left = Set(period.days).subtracting(comparableDays)
        self.table = table
        now = try reader.figures(period, withoutCompared: compared == nil ? [] : left)
        before = try compared.map { compared in
            try reader.figures(compared, withoutCompared: Set(left.map { $0.adding(days: shift) }))
        }
    }

    /// Sums of the days that are compared, and of their counterparts; nil if there is nothing to compare.
    func compared(platform: String? = nil) -> (now: Totals, before: Totals)? {
        guard let before, !comparableDays.isEmpty else { return nil }
        return (
            now.sum(comparableDays, platform: platform), before.sum(counterparts(comparableDays), platform: platform)
        )
    }

    /// The days that opens within 24 hours are counted on: fewer than 2 later log dates leave a day out, and its
    /// counterpart.
    var matureDays: [LogDate] {
        period.days.filter { ([$0] + counterparts([$0])).allSatisfy { table.isMature($0) } }
    }

    /// Of these, the ones that may be compared.
    var comparableMatureDays: [LogDate] {
        comparableDays.filter { ([$0] + counterparts([$0])).allSatisfy { table.isMature($0) } }
    }

    /// Some of the period's days, moved into the compared period.
    func counterparts(_ days: [LogDate]) -> [LogDate] {
        guard let before else { return [] }
        return days.map { $0.adding(days: before.period.first.dayNumber - period.first.dayNumber) }
    }

    /// Whether any log date of the period is loaded.
    var hasLogDates: Bool { period.days.contains(where: table.isLoaded) }

    var outside: OutsideDays {
        let days = table.days.filter { !period.contains($0.key) && !(before?.period.contains($0.key) ?? false) }
        return OutsideDays(
            count: days.count, messages: days.values.reduce(0) { $0 + $1.messages }, first: days.keys.min(),
            last: days.keys.max())
    }
}
