/// The daily tables of one partition. Keys use the partition's own numbers for names.
package struct DailyTables: Sendable {
    package var daily: DailyActions
    package var funnel: DailyFunnel
    package var hourly: HourlyActions

    package init(
        daily: DailyActions = DailyActions(), funnel: DailyFunnel = DailyFunnel(),
        hourly: HourlyActions = HourlyActions()
    ) {
        self.daily = daily
        self.funnel = funnel
        self.hourly = hourly
    }

    /// All days that have rows.
    package var days: Set<Int32> {
        var days = Set(daily.days)
        for entry in funnel.table.entries where entry.value != 0 { days.insert(DailyFunnel.day(entry.key)) }
        return days
    }

    package mutating func merge(_ other: DailyTables) {
        daily.merge(other.daily)
        funnel.merge(other.funnel)
        hourly.merge(other.hourly)
    }
}
