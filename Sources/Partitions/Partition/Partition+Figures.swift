import Calendar
import Counting
import Events
import SQLite

/// All that a log date contributes, or a part of it.
package struct FigurePart: Sendable {
    /// In days since 1970-01-01.
    package let logDate: Int32
    /// The names of the numbers in the tables.
    package let names: EventNames
    package var tables: DailyTables
    /// The standalone events; empty where they are not needed.
    package let sums: EventSums

    package init(logDate: Int32, names: EventNames, tables: DailyTables, sums: EventSums = [:]) {
        self.logDate = logDate
        self.names = names
        self.tables = tables
        self.sums = sums
    }
}

/// The standalone events of a log date, by [platform, action] in its numbers.
package typealias EventSums = [[Int64]: Int]

extension Partition {
    /// The tables as if the log date were alone. If the partition has another time zone or order of sources, they are
    /// counted from its events.
    package func standaloneTables(
        _ names: EventNames, _ settings: PublicationSettings, _ isStopped: () -> Bool
    ) throws(WarehouseError) -> DailyTables {
        let sourceRanks = GlobalNames([names], pipelineSources: settings.sourceNames).sources[0]
            .map { UInt16(truncatingIfNeeded: $0) }
        if summary.zone == settings.zone.version, sourceRanks == sourceRanks.sorted() {
            return try standaloneTables(names)
        }
        var standalone = StandaloneTables(names, sourceRanks: sourceRanks)
        var days = DayClock(zone: settings.zone)
        var section: Section?
        try forEachBlock(names, isStopped) { blockSection, events in
            if section != blockSection { standalone.endMessage(days: &days) }
            section = blockSection
            standalone.add(events.span, days: &days)
        }
        standalone.endMessage(days: &days)
        standalone.flush()
        return standalone.tables
    }
}

extension Partition {
    /// Reads everything that has a hash.
    /// - Throws: `.corrupt` if something is not as it was written; `.stopped` if `isStopped` returns true.
    package func verify(_ isStopped: () -> Bool = { false }) throws(WarehouseError) {
        func check() throws(WarehouseError) {
            if isStopped() { throw .stopped }
        }
        let names = try readNames()
        try check()
        _ = try standaloneTables(names)
        try check()
        _ = try files()
        _ = try outcomes()
        _ = try pipelineKeys()
        try checkRejects()
        try check()
        if isSettled {
            let sql = "SELECT platform, action, events FROM sums"
            return try read { try Partition.forEachRow(of: PartitionSchema.sums, sql, $0, self.path) { _ in } }
        }
        try forEachBlock(names, isStopped) { _, _ in }
    }
}
