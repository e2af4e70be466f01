import Calendar
import Counting

/// Everything that a report shows, in numbers.
struct ReportFigures {
    let table: DayTable
    let now: PeriodFigures
    /// Nil if nothing is compared, or if there is nothing to compare with.
    let before: PeriodFigures?
    /// Deliveries with messages in the period, in any order.
    let deliveries: [DeliveryResult]

    var period: ReportPeriod { now.period }

    /// The days of the period whose log dates are loaded, and of whose counterparts too: only these are compared.
    var comparableDays: [LogDate] { daysWithCounterparts { table.isLoaded($0) } }

    /// The days that opens within 24 hours are counted on: fewer than 2 later log dates leave a day out, and its
    /// counterpart.
    var matureDays: [LogDate] { daysWithCounterparts { table.isMature($0) } }

    /// Of these, the ones that may be compared.
    var comparableMatureDays: [LogDate] {
        daysWithCounterparts { table.isMature($0) && table.isLoaded($0) }
    }

    /// Some of the period's days, moved into the compared period.
    func counterparts(_ days: [LogDate]) -> [LogDate] {
        guard let before else { return [] }
        return days.map { $0.adding(days: before.period.first.dayNumber - period.first.dayNumber) }
    }

    private func daysWithCounterparts(_ isGood: (LogDate) -> Bool) -> [LogDate] {
        period.days.filter { day in
            isGood(day) && counterparts([day]).allSatisfy(isGood)
        }
    }

    /// Whether a day of the period, or of those compared, still grows.
    var isProvisional: Bool {
        (period.days + (before?.period.days ?? [])).contains { table.days[$0] != nil && !table.isFinal($0) }
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
