import Events
import GRDB

/// The daily tables and `partitions`, as they shall be.
struct OutputContent {
    private let daily: [DailyActions.Row]
    private let funnel: [DailyFunnel.Row]
    private let days: [[DatabaseValue]]
    private let names: EventNames
    private let summaries: [PartitionSummary]

    init(figures: Figures, names: GlobalNames, summaries: [PartitionSummary], windowDays: Int) {
        daily = figures.daily.rows(sourceRanks: names.sourceRanks)
        funnel = figures.funnel.rows()
        self.names = names.names
        self.summaries = summaries
        days = OutputContent.days(
            daily, funnel, lastLogDate: summaries.last?.logDate, windowDays: windowDays)
    }

    /// Returns the number of rows that differed.
    func write(to database: Database) throws -> Int {
        var changes = try OutputSchema.dailyActions.replaceRows(daily.lazy.map { $0.values(names) }, in: database)
        changes += try OutputSchema.dailyFunnel.replaceRows(funnel.lazy.map { $0.values(names) }, in: database)
        changes += try OutputSchema.days.replaceRows(days, in: database)
        changes += try OutputSchema.partitions.replaceRows(summaries.lazy.map(\.outputValues), in: database)
        return changes
    }

    private static func days(
        _ daily: [DailyActions.Row], _ funnel: [DailyFunnel.Row], lastLogDate: Int32?, windowDays: Int
    ) -> [[DatabaseValue]] {
        var messages: [Int32: Int] = [:]
        for row in funnel { messages[row.day, default: 0] += row.messages }
        var sums: [(day: Int32, events: Int)] = []
        for row in daily {
            if sums.last?.day != row.day { sums.append((row.day, 0)) }
            sums[sums.count - 1].events += row.events
        }
        return sums.map { sum in
            let isFinal = lastLogDate.map { Int($0) > Int(sum.day) + windowDays } ?? false
            return dayValues(sum.day) + [
                sum.events.databaseValue, messages[sum.day, default: 0].databaseValue,
                (isFinal ? 1 : 0).databaseValue,
            ]
        }
    }
}
