import Events
import SQLite

/// The standalone events of a partition, by platform and action. In the partition's numbers.
struct EventSums: Sendable {
    struct Key: Hashable {
        let platform: Int64
        let action: Int64
    }

    var events: [Key: Int] = [:]

    /// The rows of `sums`, in the order of its key.
    var rows: [[DatabaseValue]] {
        events.sorted { ($0.key.platform, $0.key.action) < ($1.key.platform, $1.key.action) }.map { key, events in
            .of(key.platform, key.action, events)
        }
    }
}

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
            let rows = try Statement(
                "SELECT platform, action, events FROM \(isSettled ? PartitionSchema.sums : "daily")", in: database)
            while try rows.next() {
                if isSettled { hash.addRow(rows.values) }
                let key = EventSums.Key(platform: rows.number(0), action: rows.number(1))
                sums.events[key, default: 0] += Int(rows.number(2))
            }
            if isSettled { try ContentHashes.check(hash, of: PartitionSchema.sums, in: database, path: path) }
            return sums
        }
    }
}

extension OutputFolder {
    /// The standalone events of a log date, in the numbers of `names`; those of all its shards, if it has shards.
    func eventSums(of partition: Partition, _ names: EventNames) throws(WarehouseError) -> EventSums {
        let logDate = partition.summary.logDate
        guard let manifest = Manifest(of: logDate, in: partitionsPath) else { return try partition.sums() }
        let numbers = Dictionary(names.actions.enumerated().map { ($1, Int64($0)) }, uniquingKeysWith: { $1 })
        var all = EventSums()
        for number in manifest.shards.indices {
            let shard = try Partition(logDate: logDate, folder: shard(number, versions: [logDate: manifest.version]))
            let actions = try shard.names().actions
            for (key, events) in try shard.sums().events {
                guard actions.indices.contains(Int(key.action)), let action = numbers[actions[Int(key.action)]] else {
                    continue
                }
                all.events[EventSums.Key(platform: key.platform, action: action), default: 0] += events
            }
        }
        return all
    }
}
