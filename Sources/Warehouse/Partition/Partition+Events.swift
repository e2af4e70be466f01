import Events
import SQLite

extension Partition {
    /// The number of events, by platform and action, as `android impression`.
    package func eventsByPlatformAndAction() throws(WarehouseError) -> [String: Int] {
        try read { database in
            var names: [Int64: String] = [:]
            let actions = try Statement("SELECT action, name FROM actions", in: database)
            while try actions.next() { names[actions.number(0)] = actions.text(1) }
            // Added up here: SQLite would sort all rows first.
            var sums: [SIMD2<Int64>: Int64] = [:]
            let rows = try Statement("SELECT platform, action, events FROM daily", in: database)
            while try rows.next() { sums[[rows.number(0), rows.number(1)], default: 0] += rows.number(2) }
            var events: [String: Int] = [:]
            for (key, sum) in sums {
                let platform = Platform(rawValue: UInt8(truncatingIfNeeded: key[0])) ?? .unknown
                events["\(platform.name) \(names[key[1]] ?? "")"] = Int(sum)
            }
            return events
        }
    }
}
