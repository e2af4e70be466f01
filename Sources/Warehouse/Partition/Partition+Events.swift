import Events
import SQLite

extension Partition {
    /// The number of events, by platform and action, as `android impression`.
    package func eventsByPlatformAndAction() throws(WarehouseError) -> [String: Int] {
        try read { database in
            var events: [String: Int] = [:]
            let rows = try Statement(
                "SELECT platform, name, sum(events) FROM daily JOIN actions USING (action) GROUP BY platform, action",
                in: database)
            while try rows.next() {
                let platform = Platform(rawValue: UInt8(truncatingIfNeeded: rows.number(0))) ?? .unknown
                events["\(platform.name) \(rows.text(1))"] = Int(rows.number(2))
            }
            return events
        }
    }
}
