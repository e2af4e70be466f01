import Calendar
import Counting
import Events
import SQLite

/// Writes the rows that a log date contributes.
struct LedgerRows {
    let tables: DailyTables
    let names: EventNames
    let logDate: String
    let part: LedgerPart
    var isSettled = false
    /// Whether the ledger has no rows of the log date yet. Else they go into the temporary tables of new rows.
    var isFirst = false

    /// Whether a log date has other rows than these.
    static func differ(from part: FigurePart, in database: Database) throws -> Bool {
        let rows = LedgerRows(
            tables: part.tables, names: part.names, logDate: CalendarText.date(ofDay: part.logDate), part: .alone)
        try rows.write(to: database)
        return try LedgerTable.all.reduce(false) { differs, table in
            try table.differs(from: rows.logDate, in: database) || differs
        }
    }

    func write(to database: Database) throws {
        let actions = tables.daily.rows()
        let funnel = tables.funnel.rows()
        try write(.actions, in: database) { row in
            for action in actions where part == .alone || action.events != 0 || action.duplicates != 0 {
                try row.add(date: action.day)
                try row.add(names.deliveries[Int(action.delivery)])
                try row.add(action.platform.name)
                try row.add(names.sources[Int(action.source)])
                try row.add(names.actions[Int(action.action)])
                try finish(&row, [action.events, action.duplicates])
            }
        }
        try write(.funnel, in: database) { row in
            for messages in funnel where messages.counts.all.contains(where: { $0 != 0 }) {
                try row.add(date: messages.day)
                try row.add(names.deliveries[Int(messages.delivery)])
                try row.add(messages.platform.name)
                try finish(&row, messages.counts.all)
            }
        }
        try write(.hours, in: database) { row in
            for action in tables.hourly.rows(sourceRanks: Array(names.sources.indices))
            where part == .alone || action.counts.events != 0 || action.counts.duplicates != 0 {
                try row.add(date: action.day)
                try row.add(Int64(action.hour.ofDay))
                try row.add(action.hour.epoch)
                try row.add(names.sources[Int(action.source)])
                try row.add(action.platform.name)
                try row.add(names.actions[Int(action.action)])
                try finish(&row, [action.counts.events, action.counts.duplicates])
            }
        }
        try write(.paths, in: database) { row in
            for path in DailyPaths(tables.funnel).sums where path.counts.all.contains(where: { $0 != 0 }) {
                try row.add(date: path.day)
                try row.add(path.platform.name)
                for stage in [Stages.arrived, .impressed, .clicked, .opened] {
                    try row.add(Int64(path.stages.contains(stage) ? 1 : 0))
                }
                try finish(&row, FunnelColumn.ofPaths.map { path.counts[$0] })
            }
        }
        try writeDeliveries(actions, funnel, to: database)
    }

    /// The platforms of which there are arrivals.
    var platformsWithArrivals: [String] {
        guard let arrival = names.actions.firstIndex(of: "arrival") else { return [] }
        return Set(
            tables.hourly.rows(sourceRanks: Array(names.sources.indices)).filter { Int($0.action) == arrival }.map(
                \.platform.name)
        ).sorted()
    }

    private func writeDeliveries(
        _ actions: [DailyActions.Row], _ funnel: [DailyFunnel.Row], to database: Database
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
        try write(.byDelivery, in: database) { row in
            for key in keys {
                let counts = sums[key] ?? FunnelCounts()
                guard days[key] != nil || counts.all.contains(where: { $0 != 0 }) else { continue }
                try row.add(names.deliveries[Int(key.delivery)])
                try row.add(key.platform.name)
                try row.add(logDate)
                try row.add(Int64(part.rawValue))
                try row.add(date: days[key]?.lowerBound)
                try row.add(date: days[key]?.upperBound)
                for count in counts.all { try row.add(Int64(count)) }
                try row.execute()
            }
        }
    }

    private func write(
        _ table: LedgerTable, in database: Database, _ body: (inout Statement.Binder) throws -> Void
    ) throws {
        let rows = table.replacement
        let insertion = rows.insertion(into: isFirst ? rows.table : rows.new)
        var row = Statement.Binder(try database.cachedStatement(sql: insertion))
        try body(&row)
    }

    /// Adds what follows the key, and inserts the row.
    private func finish(_ row: inout Statement.Binder, _ counts: [Int]) throws {
        try row.add(logDate)
        try row.add(Int64(part.rawValue))
        for count in counts { try row.add(Int64(count)) }
        try row.execute()
    }
}
