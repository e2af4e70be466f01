import Calendar
import Counting
import Events
import SQLite

extension Partition {
    /// The number of events, by platform and action, as `android impression`.
    package func eventsByPlatformAndAction() throws(WarehouseError) -> [String: Int] {
        let (names, sums) = (try names(), try sums())
        var events: [String: Int] = [:]
        for (key, sum) in sums.events {
            let platform = Platform(rawValue: UInt8(truncatingIfNeeded: key.platform)) ?? .unknown
            let name = names.actions.indices.contains(Int(key.action)) ? names.actions[Int(key.action)] : ""
            events["\(platform.name) \(name)"] = sum
        }
        return events
    }

    func sums() throws(WarehouseError) -> EventSums {
        try read { database in
            var sums = EventSums()
            var hash = ContentHash()
            // Added up here: SQLite would sort all rows first.
            let table = isSettled ? PartitionSchema.sums : "daily"
            try database.forEach("SELECT platform, action, events FROM \(table)") { row in
                if isSettled { hash.addRow(row.values) }
                sums.events[EventSums.Key(platform: try row.read(0), action: try row.read(1)), default: 0] +=
                    try row.read(2)
            }
            if isSettled { try ContentHashes.check(hash, of: PartitionSchema.sums, in: database, path: path) }
            return sums
        }
    }

    /// The tables as if the log date were alone. If the partition has another time zone or order of sources, or is of an old
    /// version that lacks some, they are counted from its events.
    func standaloneTables(
        _ names: EventNames, _ settings: PublicationSettings, _ isStopped: () -> Bool
    ) throws(WarehouseError) -> DailyTables {
        let sourceRanks = GlobalNames([names], pipelineSources: settings.sourceNames).sources.all(of: 0)
            .map { UInt16(truncatingIfNeeded: $0) }
        if hasAllFigures, summary.zone == settings.zone.version, sourceRanks == sourceRanks.sorted() {
            return try standaloneTables(NameCounts(names))
        }
        var standalone = StandaloneTables(names, sourceRanks: sourceRanks)
        var days = DayClock(zone: settings.zone, around: [summary.logDate])
        var section: Section?
        try forEachBlock(NameCounts(names), isStopped) { blockSection, events in
            if section != blockSection { standalone.endMessage(days: &days) }
            section = blockSection
            standalone.add(events.span, days: &days)
        }
        standalone.endMessage(days: &days)
        standalone.flush()
        return standalone.tables
    }
}
