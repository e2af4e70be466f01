import Calendar
import Counting
import Events
import Partitions
import SQLite

/// Writes the rows that a log date contributes.
package struct LedgerRows {
    let figures: FigurePart
    let part: LedgerPart
    let logDate: String
    let isSettled: Bool
    /// Whether the ledger has no rows of the log date yet. Else they go into the temporary tables of new rows.
    let isFirst: Bool

    init(_ figures: FigurePart, part: LedgerPart, isSettled: Bool = false, isFirst: Bool = false) {
        (self.figures, self.part, self.isSettled, self.isFirst) = (figures, part, isSettled, isFirst)
        logDate = CalendarText.date(ofDay: figures.logDate)
    }

    private var tables: DailyTables { figures.tables }
    private var names: EventNames { figures.names }

    /// Whether a log date has other rows than these.
    package static func differ(from part: FigurePart, in database: Database) throws -> Bool {
        let rows = LedgerRows(part, part: .alone)
        try rows.write(to: database)
        return try LedgerTable.all.reduce(false) { differs, table in
            try table.differs(from: rows.logDate, in: database) || differs
        }
    }

    func write(to database: Database) throws {
        let actions = tables.daily.rows()
        let funnel = tables.funnel.rows()
        func says(_ counts: EventCounts) -> Bool { part == .alone || counts != EventCounts() }
        try insert(actions.lazy.filter { says($0.counts) }, into: .actions, database) { action, row in
            row.append(.date(action.day))
            row.append(.string(names.deliveries[Int(action.delivery)]))
            row.append(.string(action.platform.name))
            row.append(.string(names.sources[Int(action.source)]))
            row.append(.string(names.actions[Int(action.action)]))
            finish(&row, [action.counts.events, action.counts.duplicates])
        }
        try insert(funnel.lazy.filter { $0.counts.isAny }, into: .funnel, database) { messages, row in
            row.append(.date(messages.day))
            row.append(.string(names.deliveries[Int(messages.delivery)]))
            row.append(.string(messages.platform.name))
            finish(&row, messages.counts.all)
        }
        try insert(tables.hourly.rows().lazy.filter { says($0.counts) }, into: .hours, database) { action, row in
            row.append(.date(action.hour.day))
            row.append(.int64(Int64(action.hour.ofDay)))
            row.append(.int64(action.hour.epoch))
            row.append(.string(names.sources[Int(action.source)]))
            row.append(.string(action.platform.name))
            row.append(.string(names.actions[Int(action.action)]))
            finish(&row, [action.counts.events, action.counts.duplicates])
        }
        let paths = tables.funnel.paths.lazy.filter { $0.counts.isAny }
        try insert(paths, into: .paths, database) { path, row in
            row.append(.date(path.day))
            row.append(.string(path.platform.name))
            for stage in [Stages.arrived, .impressed, .clicked, .opened] {
                row.append(.int64(path.stages.contains(stage) ? 1 : 0))
            }
            finish(&row, FunnelColumn.ofPaths.map { path.counts[$0] })
        }
        try writeDeliveries(actions, funnel, to: database)
    }

    private func writeDeliveries(
        _ actions: [ActionCounts.Row], _ funnel: [DailyFunnel.Row], to database: Database
    ) throws {
        struct Key: Hashable {
            let delivery: UInt32
            let platform: Platform
        }
        var days: [Key: ClosedRange<Int32>] = [:]
        if part == .alone {
            for action in actions {
                let key = Key(delivery: action.delivery, platform: action.platform)
                let known = days[key] ?? action.day...action.day
                days[key] = min(known.lowerBound, action.day)...max(known.upperBound, action.day)
            }
        }
        var sums: [Key: FunnelCounts] = [:]
        for row in funnel {
            sums[Key(delivery: row.delivery, platform: row.platform), default: FunnelCounts()] += row.counts
        }
        let keys = Set(days.keys).union(sums.keys).sorted {
            ($0.delivery, $0.platform.rawValue) < ($1.delivery, $1.platform.rawValue)
        }
        let wanted = keys.lazy.filter { days[$0] != nil || sums[$0]?.isAny ?? false }
        try insert(wanted, into: .byDelivery, database) { key, row in
            row.append(.string(names.deliveries[Int(key.delivery)]))
            row.append(.string(key.platform.name))
            finish(&row, [])
            row.append(days[key].map { .date($0.lowerBound) } ?? .null)
            row.append(days[key].map { .date($0.upperBound) } ?? .null)
            for count in (sums[key] ?? FunnelCounts()).all { row.append(.int64(Int64(count))) }
        }
    }

    /// - Parameter append: adds the values of a row.
    private func insert<Rows: Sequence>(
        _ rows: Rows, into table: LedgerTable, _ database: Database,
        _ append: (Rows.Element, inout [DatabaseValue]) -> Void
    ) throws {
        let replacement = table.replacement
        let insertion = try database.prepare(
            replacement.insertion(into: isFirst ? replacement.table : replacement.new))
        var values: [DatabaseValue] = []
        for row in rows {
            values.removeAll(keepingCapacity: true)
            append(row, &values)
            try insertion.execute(values)
        }
    }

    /// Adds what follows the key.
    private func finish(_ row: inout [DatabaseValue], _ counts: [Int]) {
        row.append(.string(logDate))
        row.append(.int64(Int64(part.rawValue)))
        for count in counts { row.append(.int64(Int64(count))) }
    }
}

extension DatabaseValue {
    fileprivate static func date(_ day: Int32) -> DatabaseValue { .string(CalendarText.date(ofDay: day)) }
}

extension FunnelCounts {
    fileprivate var isAny: Bool { all.contains { $0 != 0 } }
}
