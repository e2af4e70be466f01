import Calendar
import Counting
import Events
import SQLite

extension Partition {
    /// The rows that are stored in the partition: those of the log date by itself or, after settling, the final rows.
    package func storedRows() throws -> LogDateRows {
        let names = try names()
        return try read { database in
            do {
                var rows = LogDateRows()
                for table in [PartitionSchema.actions, PartitionSchema.hours] {
                    let isOfHours = table.name == PartitionSchema.hours.name
                    try database.forEach(table.selection) { row in
                        let numbers = try InlineArray<7, Int64> { try row.read($0) }
                        try isOfHours ? rows.addHour(numbers, names: names) : rows.addAction(numbers, names: names)
                    }
                }
                try self.addFunnel(to: &rows, names: names, database: database)
                try database.forEach(PartitionSchema.paths.selection) { row in
                    var stages: Stages = []
                    for (index, stage) in Stages.ofPath.enumerated() where try row.read(index + 2) as Int64 == 1 {
                        stages.insert(stage)
                    }
                    try rows.addPath(day: row.read(0), platform: row.read(1), path: stages, messages: row.read(6))
                }
                return rows
            } catch is UnknownNumber {
                throw OutputError(.corrupt("its figures cannot be read"), at: self.path)
            }
        }
    }

    /// A later version of the program may have columns that this file has not.
    private func addFunnel(to rows: inout LogDateRows, names: EventNames, database: Database) throws {
        let row = try database.prepare("SELECT * FROM \(PartitionSchema.funnel.name)")
        let places = row.columnNames
        let known = FunnelColumn.allCases.compactMap { column in places.firstIndex(of: column.name).map { (column, $0) }
        }
        rows.unknown = Set(FunnelColumn.allCases).subtracting(known.map(\.0))
        while try row.next() {
            var counts = FunnelCounts()
            for (column, place) in known { counts[column] = Int(try row.read(place) as Int64) }
            try rows.addFunnel(
                day: row.read(0), delivery: row.read(1), platform: row.read(2), counts: counts, names: names)
        }
    }

    /// The rows of the log date by itself, by the present rules. They are counted again from the events if the stored
    /// rows are final, or were written with another time zone, order of sources or version of the program.
    package func ownRows(
        settings: PublicationSettings, isStopped: () -> Bool
    ) throws -> LogDateRows {
        let names = try names()
        let sourceRanks = GlobalNames([names], pipelineSources: settings.sourceNames).sources[0]
            .map { UInt16(truncatingIfNeeded: $0) }
        if summary.settled == nil, summary.isCounted(by: settings.zone), sourceRanks == sourceRanks.sorted() {
            let rows = try storedRows()
            if rows.unknown.isEmpty { return rows }
        }
        var standalone = StandaloneTables(names, sourceRanks: sourceRanks)
        var days = DayClock(zone: settings.zone)
        var section: Section?
        try forEachBlock(names: names, isStopped: isStopped) { blockSection, _, events in
            if section != blockSection { standalone.endMessage(days: &days) }
            section = blockSection
            standalone.add(events.span, days: &days)
        }
        standalone.endMessage(days: &days)
        standalone.flush()
        return LogDateRows(standalone.tables)
    }
}

extension LogDateRows {
    /// The partition's tables for these rows.
    var tables: [PartitionSchema.Numbers] {
        [
            PartitionSchema.actions, PartitionSchema.hours, PartitionSchema.funnel(without: unknown),
            PartitionSchema.paths,
        ]
    }

    /// The rows of a table of numbers, in the order of its columns.
    func numbers(of table: PartitionSchema.Numbers) -> [[Int64]] {
        switch table.name {
        case PartitionSchema.actions.name: return actions.map(\.ofDay)
        case PartitionSchema.hours.name: return hours.map(\.ofHour)
        case PartitionSchema.funnel.name:
            let known = FunnelColumn.allCases.filter { !unknown.contains($0) }
            return funnel.map { row in
                [Int64(row.day.dayNumber), Int64(row.delivery), Int64(row.platform.rawValue)]
                    + known.map { Int64(row.counts[$0]) }
            }
        default:
            return paths.map { row in
                [Int64(row.day.dayNumber), Int64(row.platform.rawValue)]
                    + Stages.ofPath.map { row.stages.contains($0) ? 1 : 0 } + [Int64(row.messages)]
            }
        }
    }
}
