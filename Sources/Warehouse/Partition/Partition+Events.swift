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
}
