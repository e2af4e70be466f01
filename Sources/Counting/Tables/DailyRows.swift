/// The rows of the six daily tables for some days, each sorted by its key.
package struct DailyRows: Sendable {
    package let actions: [DailyActions.Row]
    package let funnel: [DailyFunnel.Row]
    package let totals: [DailyTotals.Row]
    package let hours: [HourlyActions.Row]
    package let lateness: [DailyLateness.Row]
    package let paths: [DailyPaths.Row]
}
