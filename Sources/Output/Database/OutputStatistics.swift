import Partitions
import SQLite

/// Fixed statistics for SQLite's planner, typical of two years with 500 deliveries a day. With them, the same query has
/// the same plan in every push.db, and needs no index besides the keys.
package enum OutputStatistics {
    /// For each table: its rows, then the average number of rows that are equal in the first column of the key, in the
    /// first two, and so on.
    private static let rows: [(table: Table, numbers: [Int])] = [
        (OutputSchema.dailyActions, [4_380_000, 6000, 12, 4, 3, 2, 1]),
        (OutputSchema.dailyFunnel, [1_095_000, 1500, 3, 2, 1]),
        (OutputSchema.dailyTotals, [2190, 3, 1]),
        (OutputSchema.hourlyActions, [210_240, 288, 12, 12, 6, 3, 2, 1]),
        (OutputSchema.dailyPaths, [21_900, 30, 10, 8, 4, 2, 2, 1]),
        (OutputSchema.deliveries, [73_000, 1]),
        (OutputSchema.deliveryResults, [73_000, 1]),
        (OutputSchema.deliveryPlatforms, [219_000, 3, 1]),
        (OutputSchema.days, [730, 1]),
        (OutputSchema.calendar, [730, 1]),
    ]

    private static let ours = "tbl IN (\(OutputSchema.tables.map { "'\($0.name)'" }.joined(separator: ", ")))"

    /// Whether a push.db has exactly these statistics for our tables.
    package static func areComplete(in database: Database) throws -> Bool {
        guard try database.hasTable("sqlite_stat1") else { return false }
        let found: [String] = try database.column(
            "SELECT tbl || '|' || coalesce(idx, '') || '|' || coalesce(stat, '') FROM sqlite_stat1 WHERE \(ours)")
        return found.sorted() == rows.map { "\($0.name)|\($0.name)|\(stat($1))" }.sorted()
    }

    private static func stat(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: " ") }

    static func write(to database: Database) throws {
        // Creates the table of statistics without analysing any table.
        try database.execute("ANALYZE sqlite_master")
        try database.execute("DELETE FROM sqlite_stat1 WHERE \(ours)")
        for (table, numbers) in rows {
            try database.execute(
                "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)",
                binding: .of(table.name, table.name, stat(numbers)))
        }
    }
}
