import Calendar
import Counting
import Events
import GRDB

/// The rows that the daily tables and `days` should have.
struct OutputContent {
    private let computation: FigureComputation
    private let figures: [PartitionFigures]
    /// The sums over all partitions, by day.
    private let digests: [Int32: DayDigest]
    /// The days to be written.
    private var days = ChangedDays(daily: [], funnel: [])
    /// The partitions that have rows for these days.
    private var parts: [Part] = []
    /// The names of `parts`, in the same order.
    private var names = GlobalNames([], pipelineSources: [])

    private struct Part: Sendable {
        let index: Int
        let names: EventNames
        let tables: DailyTables
    }

    private var basis: PublicationBasis { computation.basis }

    /// The most days that one worker computes at a time.
    private static let daysAPiece = 8

    init(_ computation: FigureComputation) throws(WarehouseError) {
        self.computation = computation
        figures = try computation.figures()
        var digests: [Int32: DayDigest] = [:]
        for figures in figures {
            for (day, digest) in figures.cache.head.days { digests[day, default: DayDigest()] += digest }
        }
        self.digests = digests
    }

    /// The entries that `publication` should have for the days.
    var items: [String: String] {
        var items: [String: String] = [:]
        for (day, digest) in digests {
            let date = CalendarText.date(ofDay: day)
            items["daily_actions \(date)"] = String(digest.dailyHash, radix: 16)
            items["daily_funnel \(date)"] = String(digest.funnelHash, radix: 16)
        }
        return items
    }

    var allDays: ChangedDays { changedDays([:]) }

    /// The days whose entries in `publication` are missing or stale, including removed days.
    func changedDays(_ published: [String: String]) -> ChangedDays {
        let items = items
        func days(_ table: String) -> Set<Int32> {
            let prefix = table + " "
            let changed = Set(items.keys).union(published.keys)
                .filter { $0.hasPrefix(prefix) && items[$0] != published[$0] }
            return Set(changed.compactMap { CalendarText.day(of: String($0.dropFirst(prefix.count))) })
        }
        return ChangedDays(daily: days("daily_actions"), funnel: days("daily_funnel"))
    }

    /// Loads the tables that are needed to compute the rows of `days`.
    mutating func prepare(_ days: ChangedDays) throws(WarehouseError) {
        self.days = days
        let indices = figures.indices.filter { !days.all.isDisjoint(with: figures[$0].cache.head.days.keys) }
        parts = try basis.resources.workers.map(indices.count) {
            [figures, computation, basis] number throws(WarehouseError) in
            let index = indices[number]
            let names = try basis.partitions.partition(index).names()
            if let tables = figures[index].tables { return Part(index: index, names: names, tables: tables) }
            let tables = try computation.tables(of: index, figures[index].cache, names)
            return Part(index: index, names: names, tables: tables)
        }
        names = GlobalNames(parts.map(\.names), pipelineSources: basis.settings.sourceNames)
    }

    /// Writes the prepared days, and all rows of `days`. Tables in `rewritten` are empty. Returns the number of rows
    /// that differed.
    func write(
        to database: Database, of output: OutputDatabase, rewritten: Set<String>, _ digests: inout TableDigests
    ) throws -> Int {
        var changes = 0
        let pieces = days.pieces(of: OutputContent.daysAPiece)
        let atATime = 2 * basis.resources.workers.count
        for start in stride(from: 0, to: pieces.count, by: atATime) {
            let group = Array(pieces[start..<min(start + atATime, pieces.count)])
            let found = try compute(group) { days, daily, funnel throws(WarehouseError) in
                try differences(days, daily, funnel, output, rewritten)
            }
            for (days, piece) in zip(group, found) {
                try basis.resources.check()
                changes += try piece.result.daily.write(names.names, to: database)
                changes += try piece.result.funnel.write(names.names, to: database)
                piece.set(&digests, of: days)
            }
        }
        let rows = dayRows
        digests.set(rows, of: OutputSchema.days)
        return changes + (try OutputSchema.days.replaceRows(rows, in: database))
    }

    /// The digests of the prepared days and of `days`.
    func tableDigests() throws(WarehouseError) -> TableDigests {
        var digests = TableDigests()
        let pieces = days.pieces(of: OutputContent.daysAPiece)
        let found = try compute(pieces) { _, _, _ throws(WarehouseError) in () }
        for (days, piece) in zip(pieces, found) { piece.set(&digests, of: days) }
        digests.set(dayRows, of: OutputSchema.days)
        return digests
    }

    private var dayRows: [[DatabaseValue]] {
        let lastLogDate = basis.partitions.summaries.last?.logDate
        return digests.sorted { $0.key < $1.key }.map { day, digest in
            let isFinal = lastLogDate.map { Int($0) > Int(day) + basis.settings.windowDays } ?? false
            return dayValues(day) + [
                digest.events.databaseValue, digest.messages.databaseValue, (isFinal ? 1 : 0).databaseValue,
            ]
        }
    }

    /// The result for some days, and the digests of their rows by day.
    private struct Computed<Result: Sendable>: Sendable {
        let result: Result
        let daily: [Int32: UInt64]
        let funnel: [Int32: UInt64]

        func set(_ digests: inout TableDigests, of days: ChangedDays) {
            for day in days.daily {
                digests[OutputSchema.dailyActions, CalendarText.date(ofDay: day)] = daily[day] ?? 0
            }
            for day in days.funnel {
                digests[OutputSchema.dailyFunnel, CalendarText.date(ofDay: day)] = funnel[day] ?? 0
            }
        }
    }

    /// Computes the rows of the days, and calls `body` with them.
    private func compute<Result: Sendable>(
        _ pieces: [ChangedDays],
        _ body: @Sendable (ChangedDays, [DailyActions.Row], [DailyFunnel.Row]) throws(WarehouseError) -> Result
    ) throws(WarehouseError) -> [Computed<Result>] {
        try basis.resources.workers.map(pieces.count) {
            [figures, names, parts, basis] number throws(WarehouseError) in
            try basis.resources.check()
            let days = pieces[number]
            var tables = CombinedTables(of: days)
            for (index, part) in parts.enumerated() {
                tables.merge(part.tables, at: index, names, days: figures[part.index].cache.head.days.keys)
            }
            let daily = tables.daily.rows(sourceRanks: names.sourceRanks)
            let funnel = tables.funnel.rows()
            return Computed(
                result: try body(days, daily, funnel), daily: DailyActions.Row.digests(of: daily, names.names),
                funnel: DailyFunnel.Row.digests(of: funnel, names.names))
        }
    }

    private struct Differences: Sendable {
        let daily: TableChanges<DailyActions.Row>
        let funnel: TableChanges<DailyFunnel.Row>
    }

    /// The differences between the output DB and the rows of some days. Workers read with their own connections, so
    /// they see the state before the current transaction. Tables that are made again are not read.
    private func differences(
        _ days: ChangedDays, _ daily: [DailyActions.Row], _ funnel: [DailyFunnel.Row], _ output: OutputDatabase,
        _ rewritten: Set<String>
    ) throws(WarehouseError) -> Differences {
        func changes<Row: DailyRow>(_ rows: [Row], _ days: Set<Int32>, _ database: Database?) throws -> TableChanges<
            Row
        > {
            try TableChanges(
                of: Row.table, rows, names.names, dates: days.sorted().map(CalendarText.date),
                in: rewritten.contains(Row.table.name) ? nil : database)
        }
        func differences(_ database: Database?) throws -> Differences {
            Differences(
                daily: try changes(daily, days.daily, database), funnel: try changes(funnel, days.funnel, database))
        }
        return try reportingFacts(of: output.path) {
            let daily = [OutputSchema.dailyActions.name, OutputSchema.dailyFunnel.name]
            return try rewritten.isSuperset(of: daily)
                ? differences(nil) : output.readUnchecked(differences) ?? differences(nil)
        }
    }
}
