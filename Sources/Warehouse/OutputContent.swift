import Events
import GRDB

/// The daily tables, `days` and `partitions`, as they shall be.
struct OutputContent {
    private let figures: Figures
    private let names: GlobalNames
    private let summaries: [PartitionSummary]
    private let windowDays: Int
    private let dailyVersions: DayVersions
    private let funnelVersions: DayVersions

    init(figures: Figures, names: GlobalNames, summaries: [PartitionSummary], windowDays: Int) {
        self.figures = figures
        self.names = names
        self.summaries = summaries
        self.windowDays = windowDays
        let hashes = NameHashes(names.names)
        dailyVersions = DayVersions(figures.daily, hashes)
        funnelVersions = DayVersions(figures.funnel, hashes)
    }

    /// What `publication` shall say of the days.
    var items: [String: String] {
        dailyVersions.items(of: OutputSchema.dailyActions)
            .merging(funnelVersions.items(of: OutputSchema.dailyFunnel)) { daily, _ in daily }
    }

    /// Returns the number of rows that differed. `published` is what `publication` says.
    func write(to database: Database, published: [String: String]) throws -> Int {
        var changes = 0
        let daily = OutputSchema.dailyActions
        let changedDaily = dailyVersions.days(unlike: DayVersions(published, of: daily))
        let dailyRows = Dictionary(
            grouping: figures.daily.rows(of: changedDaily, sourceRanks: names.sourceRanks), by: \.day)
        for day in changedDaily.sorted() {
            let rows = dailyRows[day, default: []].lazy.map { $0.values(names.names) }
            changes += try daily.replaceRows(rows, ofDay: CalendarText.date(ofDay: day), in: database)
        }
        let funnel = OutputSchema.dailyFunnel
        let changedFunnel = funnelVersions.days(unlike: DayVersions(published, of: funnel))
        let funnelRows = Dictionary(grouping: figures.funnel.rows(of: changedFunnel), by: \.day)
        for day in changedFunnel.sorted() {
            let rows = funnelRows[day, default: []].lazy.map { $0.values(names.names) }
            changes += try funnel.replaceRows(rows, ofDay: CalendarText.date(ofDay: day), in: database)
        }
        changes += try OutputSchema.days.replaceRows(days, in: database)
        changes += try OutputSchema.partitions.replaceRows(summaries.lazy.map(\.outputValues), in: database)
        return changes
    }

    private var days: [[DatabaseValue]] {
        var sums: [Int32: (events: Int, messages: Int)] = [:]
        for entry in figures.daily.table.entries {
            sums[DailyActions.Row(entry.key).day, default: (0, 0)].events += entry.value.events
        }
        for entry in figures.funnel.table.entries {
            sums[DailyFunnel.day(entry.key)]?.messages += entry.value
        }
        let last = summaries.last?.logDate
        return sums.sorted { $0.key < $1.key }.map { day, sum in
            let isFinal = last.map { Int($0) > Int(day) + windowDays } ?? false
            return dayValues(day) + [
                sum.events.databaseValue, sum.messages.databaseValue, (isFinal ? 1 : 0).databaseValue,
            ]
        }
    }
}
