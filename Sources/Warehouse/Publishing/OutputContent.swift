import Calendar
import Counting
import Events
import GRDB

/// The rows that the tables of figures should have.
struct OutputContent {
    private let computation: FigureComputation
    private let figures: [PartitionFigures]
    /// The sums over all partitions, by day.
    let digests: [Int32: DayDigest]
    /// The days to be written.
    private var days: Set<Int32> = []
    /// The partitions that have rows for these days.
    private var parts: [Part] = []
    /// The names of `parts`, in the same order.
    private var names = GlobalNames([], pipelineSources: [])

    private struct Part: Sendable {
        let index: Int
        let names: EventNames
        let tables: DailyTables
    }

    var basis: PublicationBasis { computation.basis }

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
            items[OutputContent.item(CalendarText.date(ofDay: day))] = String(digest.hash, radix: 16)
        }
        return items
    }

    /// The item of a day in `publication`.
    static func item(_ date: String) -> String { "day \(date)" }

    var allDays: Set<Int32> { Set(digests.keys) }

    /// The days whose entries in `publication` are missing or stale, including removed days.
    func changedDays(_ published: [String: String]) -> Set<Int32> {
        let items = items
        let dates = Set(items.keys).union(published.keys).filter { items[$0] != published[$0] }
            .compactMap { $0.wholeMatch(of: /day (.*)/)?.output.1 }
        return Set(dates.compactMap { CalendarText.day(of: String($0)) })
    }

    /// Loads the tables that are needed to compute the rows of `days`.
    mutating func prepare(_ days: Set<Int32>) throws(WarehouseError) {
        self.days = days
        let indices = figures.indices.filter { !days.isDisjoint(with: figures[$0].cache.head.days.keys) }
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

    /// Writes the prepared days. Tables in `rewritten` are empty. Returns the number of rows that differed.
    func write(
        to database: Database, of output: OutputDatabase, rewritten: Set<String>, _ digests: inout TableDigests
    ) throws -> Int {
        var changes = 0
        let pieces = pieces
        let atATime = 2 * basis.resources.workers.count
        for start in stride(from: 0, to: pieces.count, by: atATime) {
            let group = Array(pieces[start..<min(start + atATime, pieces.count)])
            let found = try compute(group) { days, tables throws(WarehouseError) in
                try differences(days, tables, output, rewritten)
            }
            for piece in found {
                try basis.resources.check()
                for write in piece.result { changes += try write(database) }
                piece.set(&digests)
            }
        }
        return changes
    }

    /// The digests of the prepared days.
    func tableDigests() throws(WarehouseError) -> TableDigests {
        var digests = TableDigests()
        for piece in try compute(pieces, { _, _ throws(WarehouseError) in () }) { piece.set(&digests) }
        return digests
    }

    /// The prepared days, a few at a time.
    private var pieces: [[Int32]] {
        let days = days.sorted()
        return stride(from: 0, to: days.count, by: OutputContent.daysAPiece).map { start in
            Array(days[start..<min(start + OutputContent.daysAPiece, days.count)])
        }
    }

    /// The result for some days, and the digests of their rows.
    private struct Computed<Result: Sendable>: Sendable {
        let result: Result
        let days: [Int32]
        let digests: [(table: Table, byDay: [Int32: UInt64])]

        func set(_ all: inout TableDigests) {
            for (table, byDay) in digests {
                for day in days { all[table, CalendarText.date(ofDay: day)] = byDay[day] ?? 0 }
            }
        }
    }

    /// Computes the rows of the days, checks that the tables agree, and calls `body` with them.
    private func compute<Result: Sendable>(
        _ pieces: [[Int32]], _ body: @Sendable ([Int32], [DailyTableRows]) throws(WarehouseError) -> Result
    ) throws(WarehouseError) -> [Computed<Result>] {
        try basis.resources.workers.map(pieces.count) {
            [figures, names, parts, basis] number throws(WarehouseError) in
            try basis.resources.check()
            let days = pieces[number]
            var combined = CombinedTables(of: Set(days))
            for (index, part) in parts.enumerated()
            where days.contains(where: { figures[part.index].cache.head.days[$0] != nil }) {
                let logDate = basis.partitions.summaries[part.index].logDate
                combined.merge(part.tables, at: index, names, logDate: logDate)
            }
            let rows = combined.rows(names)
            do throws(TableDisagreement) {
                try rows.checkAgreement()
            } catch {
                throw .tablesDisagree(
                    path: basis.partitions.folder.databasePath, day: CalendarText.date(ofDay: error.day),
                    tables: error.tables)
            }
            let tables = rows.tables(names.names)
            return Computed(
                result: try body(days, tables), days: days, digests: tables.map { ($0.table, $0.digests()) })
        }
    }

    /// The differences between the output DB and the rows of some days. Workers read with their own connections, so
    /// they see the state before the current transaction. Tables that are made again are not read.
    private func differences(
        _ days: [Int32], _ tables: [DailyTableRows], _ output: OutputDatabase, _ rewritten: Set<String>
    ) throws(WarehouseError) -> [DailyTableRows.Changes] {
        let dates = days.map(CalendarText.date)
        func differences(_ database: Database?) throws -> [DailyTableRows.Changes] {
            try tables.map { rows in
                try rows.changes(dates, rewritten.contains(rows.table.name) ? nil : database)
            }
        }
        return try reportingFacts(of: output.path) {
            try rewritten.isSuperset(of: OutputSchema.daily.map(\.name))
                ? differences(nil) : output.readUnchecked(differences) ?? differences(nil)
        }
    }
}
