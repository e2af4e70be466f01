import Calendar
import Counting
import Events
import SQLite

/// The rows that the tables of figures should have.
struct OutputContent {
    let basis: PublicationBasis
    private var figures: any FigureSource
    /// The days to be written.
    private var days: Set<Int32> = []
    /// What has rows for them.
    private var parts: [FigurePart] = []
    /// The names of `parts`, in the same order.
    private var names = GlobalNames([], pipelineSources: [])

    /// The most days that one worker computes at a time.
    private static let daysAPiece = 8

    init(_ basis: PublicationBasis, _ figures: any FigureSource) {
        self.basis = basis
        self.figures = figures
    }

    /// The sums over all partitions, by day.
    var digests: [Int32: DayDigest] { figures.digests }

    /// The entries that `publication` should have for the days.
    var items: [String: String] { OutputContent.items(digests) }

    /// The days whose entries in `publication` are missing or stale, including removed days.
    func changedDays(_ published: [String: String]) -> Set<Int32> {
        OutputContent.changedDays(digests, published)
    }

    private static func items(_ digests: [Int32: DayDigest]) -> [String: String] {
        var items: [String: String] = [:]
        for (day, digest) in digests { items[item(CalendarText.date(ofDay: day))] = digest.text }
        return items
    }

    /// What these entries say; nothing about the days of which they say too little, as those of earlier versions do.
    static func digests(_ published: [String: String]) -> [Int32: DayDigest] {
        var digests: [Int32: DayDigest] = [:]
        for (item, text) in published where isDay(item) {
            guard let day = CalendarText.day(of: String(item.dropFirst(dayPrefix.count))) else { continue }
            digests[day] = DayDigest(text)
        }
        return digests
    }

    /// What the rows of all deliveries depend on.
    var deliverySetting: DeliverySetting {
        DeliverySetting(
            clock: DayClock(zone: basis.settings.zone), arrivals: OutputContent.platformsWithArrivals(digests))
    }

    static func platformsWithArrivals(_ digests: [Int32: DayDigest]) -> Set<Platform> {
        Set(Platform.allCases.filter { platform in digests.values.contains { $0.hasArrivals(of: platform) } })
    }

    /// The same for days with these sums.
    static func changedDays(_ digests: [Int32: DayDigest], _ published: [String: String]) -> Set<Int32> {
        let items = items(digests)
        let changed = Set(items.keys).union(published.keys).filter { items[$0] != published[$0] }
        let days = changed.filter(isDay)
        return Set(days.compactMap { CalendarText.day(of: String($0.dropFirst(dayPrefix.count))) })
    }

    /// The item of a day in `publication`.
    static func item(_ date: String) -> String { dayPrefix + date }

    static func isDay(_ item: String) -> Bool { item.hasPrefix(dayPrefix) }

    private static let dayPrefix = "day "

    var allDays: Set<Int32> { Set(digests.keys) }

    /// Loads what is needed to compute the rows of `days`.
    mutating func prepare(_ days: Set<Int32>) throws(WarehouseError) {
        self.days = days
        parts = try figures.parts(of: days)
        names = GlobalNames(parts.map(\.names), pipelineSources: basis.settings.sourceNames)
    }

    /// The tables of some prepared days.
    private func tables(of days: [Int32]) -> CombinedTables {
        var combined = CombinedTables(of: Set(days))
        for (index, part) in parts.enumerated() where days.contains(where: part.days.contains) {
            combined.merge(part.tables, at: index, names, logDate: part.logDate)
        }
        return combined
    }

    /// Writes the prepared days. Returns the number of rows that differed, and the sums by delivery.
    /// - Parameters:
    ///   - present: the digests of the rows that the tables have; nil if they are empty.
    ///   - digests: receives those of the rows that they should have.
    func write(
        to database: Database, of output: OutputDatabase, present: TableDigests?, _ digests: inout TableDigests
    ) throws -> (changes: Int, sums: DeliverySums) {
        var (changes, sums) = (0, DeliverySums())
        let pieces = pieces
        let atATime = 2 * basis.resources.workers.count
        for start in stride(from: 0, to: pieces.count, by: atATime) {
            let group = Array(pieces[start..<min(start + atATime, pieces.count)])
            let found = try compute(group) { rows throws(WarehouseError) in
                try differences(rows, present, output)
            }
            for piece in found {
                try basis.resources.check()
                for differences in piece.result {
                    changes += try differences.write(database)
                    sums.noteChanges(of: differences.deliveries)
                }
                piece.rows.set(&digests)
                sums += piece.rows.sums
            }
        }
        return (changes, sums)
    }

    /// The digests of all tables. All days must be prepared.
    /// - Parameters:
    ///   - inputs: the entries of `publication` for the log dates and the settings.
    ///   - history: those of the tables that cannot be computed.
    ///   - warnings: the column of `partitions` that cannot be computed.
    func allDigests(
        inputs: [String: String], history: TableDigests, warnings: [Int32: String]
    ) throws(WarehouseError) -> TableDigests {
        var (digests, sums) = (TableDigests(), DeliverySums())
        for piece in try compute(pieces, { _ throws(WarehouseError) in () }) {
            piece.rows.set(&digests)
            sums += piece.rows.sums
        }
        DeliveryTables.set(&digests, basis.settings.deliveries, sums, deliverySetting)
        try FileLists(basis.partitions, changedSince: [:]).set(&digests)
        digests.set(partitionRows(warnings), of: OutputSchema.partitions)
        digests.set(OutputSchema.helpRows, of: OutputSchema.columnsHelp)
        setDays(&digests)
        let items = inputs.merging(items) { input, _ in input }
        digests.set(OutputSchema.publicationRows(items), of: OutputSchema.publication)
        for table in OutputSchema.history { digests[table] = history[table] }
        return digests
    }

    /// The rows of `partitions`, with these warnings by log date.
    func partitionRows(_ warnings: [Int32: String]) -> [[DatabaseValue]] {
        basis.partitions.summaries.map { $0.outputValues(basis.settings, warnings: warnings[$0.logDate]) }
    }

    /// The prepared days, a few at a time.
    private var pieces: [[Int32]] {
        let days = days.sorted()
        return stride(from: 0, to: days.count, by: OutputContent.daysAPiece).map { start in
            Array(days[start..<min(start + OutputContent.daysAPiece, days.count)])
        }
    }

    /// The rows of some days, their digests, and their sums by delivery.
    private struct RowsOfDays: Sendable {
        let days: [Int32]
        let tables: [(rows: DailyTableRows, digests: [Int32: UInt64])]
        let sums: DeliverySums

        func set(_ all: inout TableDigests) {
            for (rows, digests) in tables {
                for day in days { all[rows.table, CalendarText.date(ofDay: day)] = digests[day] ?? 0 }
            }
        }
    }

    /// Computes the rows of the days, checks that the tables agree, and calls `body` with them.
    private func compute<Result: Sendable>(
        _ pieces: [[Int32]], _ body: @Sendable (RowsOfDays) throws(WarehouseError) -> Result
    ) throws(WarehouseError) -> [(rows: RowsOfDays, result: Result)] {
        try basis.resources.workers.map(pieces.count) { number throws(WarehouseError) in
            try basis.resources.check()
            let days = pieces[number]
            let rows = tables(of: days).rows(names)
            do throws(TableDisagreement) {
                try rows.checkAgreement()
            } catch {
                throw .tablesDisagree(
                    path: basis.partitions.folder.databasePath, day: CalendarText.date(ofDay: error.day),
                    tables: error.tables)
            }
            let ofDays = RowsOfDays(
                days: days, tables: rows.tables(names.names).map { ($0, $0.digests()) },
                sums: DeliverySums(rows, names.names))
            return (ofDays, try body(ofDays))
        }
    }

    /// The differences between the output DB and the rows of some days. Workers read with their own connections, so
    /// they see the state before the current transaction. Days whose rows have the right digest are not read.
    private func differences(
        _ rows: RowsOfDays, _ present: TableDigests?, _ output: OutputDatabase
    ) throws(WarehouseError) -> [DailyTableRows.Changes] {
        func differences(_ database: Database?) throws -> [DailyTableRows.Changes] {
            try rows.tables.map { rowsOfTable, digests in
                guard let present else { return try rowsOfTable.changes(rows.days, nil) }
                let table = rowsOfTable.table
                let changed = rows.days.filter { present[table, CalendarText.date(ofDay: $0)] != digests[$0] ?? 0 }
                return try rowsOfTable.changes(changed, database)
            }
        }
        return try reportingFacts(of: output.path) {
            try present == nil ? differences(nil) : output.readUnchecked(differences) ?? differences(nil)
        }
    }
}
