import Calendar
import Events
import SQLite

/// Writes the tables by delivery.
///
/// Adding up all days of two years takes many seconds. So the sums in the tables are brought forward: what the changed
/// days said before is taken off, and what they say now is added. That touches only deliveries with rows on these days,
/// and those of which the files say something else. If it is not certain that the tables show the days as they were,
/// everything is added up from all days.
struct DeliveryTables {
    private let list: DeliveryList
    /// The changed days, sorted.
    private let days: [Int32]
    private let dates: [String]
    /// What these days said before; nil if all rows must be made.
    private var before: DeliverySums?
    /// The deliveries of which the files say something else than the tables, sorted.
    private var renamed: [ExactText] = []
    /// Deliveries of which more messages arrived than were sent, among those touched.
    private(set) var understated: [UnderstatedDelivery] = []

    /// Call this before the daily tables are written.
    /// - Parameters:
    ///   - days: the days of which they may change.
    ///   - isListNew: whether the tables may show other delivery files.
    ///   - isWhole: whether all rows must be made.
    init(_ list: DeliveryList, days: Set<Int32>, isListNew: Bool, isWhole: Bool, in database: Database) throws {
        self.list = list
        self.days = days.sorted()
        dates = self.days.map(CalendarText.date)
        guard !isWhole else { return }
        before = try DeliverySums(on: dates, in: database)
        if isListNew { renamed = try DeliveryDifferences(from: list, in: database).deliveries }
    }

    /// Call this after the daily tables are written. Returns the number of rows that differed.
    /// - Parameter allDays: the days that have rows in daily_actions.
    mutating func write(to database: Database, allDays: Set<Int32>, _ digests: inout TableDigests) throws -> Int {
        guard let before else { return try writeAll(to: database, &digests) }
        let after = try DeliverySums(on: dates, in: database)
        let touched = before.deliveries.merged(with: after.deliveries).merged(with: renamed)
        if touched.isEmpty { return 0 }
        let present = try PresentDelivery(in: database)
        let span = try DeliverySpan(changed: days, allDays: allDays, in: database)
        var writer = DeliveryWriter(database)
        var difference = RowSums()
        var index = 0
        for id in touched {
            let old = try present.rows(of: id)
            var sums = old.sums
            sums.days = try span.days(of: id, before: old.sums.days, onChanged: after[id]?.days)
            if let before = before[id] { sums.funnel -= before.funnel }
            if let after = after[id] { sums.funnel += after.funnel }
            let rows = DeliveryRows(id, list.delivery(id, from: &index), sums)
            if let understated = rows.understated { self.understated.append(understated) }
            var obsolete = old.digests
            for row in rows.rows {
                let (was, now) = (obsolete.removeValue(forKey: row.kind), row.digest())
                if was == now { continue }
                difference.add(now &- (was ?? 0), row.kind)
                try writer.write(row)
            }
            for (kind, digest) in obsolete {
                difference.add(0 &- digest, kind)
                try writer.remove(kind, of: id)
            }
        }
        try writer.finish()
        difference.add(to: &digests)
        return writer.changes
    }

    /// Makes all rows, and writes the tables that differ.
    private mutating func writeAll(to database: Database, _ digests: inout TableDigests) throws -> Int {
        let sums = try DeliverySums(on: nil, in: database)
        let tables = OutputSchema.byDelivery
        var stale = Set(tables.map(\.name))
        let areEmpty = try tables.allSatisfy { try Int.fetchOne(database, sql: "SELECT 1 FROM \($0.name)") == nil }
        if !areEmpty {
            let wanted = try DeliveryTables.digests(list, sums)
            let found = try TableDigests(of: tables, in: database)
            stale = Set(tables.filter { found[$0] != wanted[$0] }.map(\.name))
            for table in stale { try database.execute(sql: "DELETE FROM \(table)") }
        }
        let isStale = tables.map { stale.contains($0.name) }
        var sumsOfRows = RowSums()
        var writer = DeliveryWriter(database)
        var understated: [UnderstatedDelivery] = []
        try DeliveryTables.forEach(list, sums) { rows in
            if let delivery = rows.understated { understated.append(delivery) }
            for row in rows.rows {
                sumsOfRows.add(row.digest(), row.kind)
                if isStale[row.kind.table] { try writer.write(row) }
            }
        }
        try writer.finish()
        sumsOfRows.set(&digests)
        self.understated = understated
        return writer.changes
    }

    /// The digests of the tables as they should be, by the daily tables of a database.
    static func digests(_ list: DeliveryList, from database: Database) throws -> TableDigests {
        try digests(list, try DeliverySums(on: nil, in: database))
    }

    private static func digests(_ list: DeliveryList, _ sums: DeliverySums) throws -> TableDigests {
        var sumsOfRows = RowSums()
        try forEach(list, sums) { rows in
            for row in rows.rows { sumsOfRows.add(row.digest(), row.kind) }
        }
        var digests = TableDigests()
        sumsOfRows.set(&digests)
        return digests
    }

    /// Calls `body` with the rows of each delivery of the list or the sums, in the order of their ids.
    private static func forEach(
        _ list: DeliveryList, _ sums: DeliverySums, _ body: (DeliveryRows) throws -> Void
    ) throws {
        var unnamed = sums.deliveries[...]
        func takeUnnamed(before id: ExactText?) throws {
            while let first = unnamed.first, id.map({ first < $0 }) ?? true {
                try body(DeliveryRows(first, nil, sums[first] ?? DeliverySums.Sums()))
                unnamed = unnamed.dropFirst()
            }
            if unnamed.first == id { unnamed = unnamed.dropFirst() }
        }
        for named in list {
            let id = ExactText(named.id)
            try takeUnnamed(before: id)
            try body(DeliveryRows(id, named, sums[id] ?? DeliverySums.Sums()))
        }
        try takeUnnamed(before: nil)
    }
}

/// Sums of the digests of rows, by table.
private struct RowSums {
    private var sums: [UInt64] = OutputSchema.byDelivery.map { _ in 0 }

    mutating func add(_ digest: UInt64, _ kind: DeliveryRow.Kind) { sums[kind.table] &+= digest }

    func set(_ digests: inout TableDigests) {
        for (table, sum) in zip(OutputSchema.byDelivery, sums) { digests[table] = sum }
    }

    func add(to digests: inout TableDigests) {
        for (table, sum) in zip(OutputSchema.byDelivery, sums) { digests[table] &+= sum }
    }
}
