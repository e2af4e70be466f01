import Calendar
import Counting
import SQLite

/// What push.db showed before a publishing.
struct FormerPublication {
    /// The entries of `publication`.
    var items: [String: String] = [:]
    /// The sums by day.
    var days: [Int32: DayDigest] = [:]

    /// Before anything was published.
    init() {}

    /// Nil if it cannot be known: then push.db was removed or damaged, or somebody has changed what tells it.
    init?(of output: OutputDatabase, _ state: OutputState) {
        let isHere = !state.faults.differences.contains { difference in
            if case .otherRows(OutputSchema.publication.name, _) = difference { true } else { false }
        }
        // What cannot be read is told when push.db is made anew.
        guard isHere, let found = try? output.readUnchecked(FormerPublication.init) else { return nil }
        self = found
    }

    private init(_ database: Database) throws {
        items = try OutputDatabase.publishedItems(database)
        days = OutputContent.digests(items)
        guard days.count < items.keys.count(where: OutputContent.isDay) || days.isEmpty else { return }
        // An earlier version wrote it. Its tables of figures have these columns, in all versions.
        days = [:]
        for table in ["daily_actions", "daily_funnel"] {
            let sums =
                table == "daily_funnel" ? "0, sum(messages), sum(opened)" : "sum(events), 0, 0"
            for row in try Row.fetchAll(database, sql: "SELECT day, \(sums) FROM \(table) NOT INDEXED GROUP BY day") {
                guard let day = CalendarText.day(of: try row.decode(String.self, atIndex: 0)) else { continue }
                days[day, default: DayDigest()].events += try row.decode(Int.self, atIndex: 1)
                days[day, default: DayDigest()].messages += try row.decode(Int.self, atIndex: 2)
                days[day, default: DayDigest()].opened += try row.decode(Int.self, atIndex: 3)
            }
        }
    }
}
