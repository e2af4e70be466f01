import SQLite

/// Writes to push.db what the ledger says of all that is touched, see `publish.sql`.
struct LedgerPublishing {
    /// A table of push.db that follows from the ledger.
    struct Target: Sendable {
        let table: Table
        /// The table of the ledger that says which rows are to be written, and the columns that it has.
        let touched: String
        let columns: [String]
        /// All rows, or all that are touched.
        let selection: String

        /// The key of the rows that are to be written, in the touched table, as a list.
        var scope: String { columns.joined(separator: ", ") }
    }

    static let targets: [Target] = {
        let statements = LedgerPublishing.statements(in: Ledger.sql(PackageResources.publish_sql))
        func target(_ table: Table, _ touched: String, _ columns: [String]) -> Target {
            Target(table: table, touched: touched, columns: columns, selection: statements[table.name] ?? "")
        }
        return [
            target(OutputSchema.dailyActions, "touched_actions", LedgerTable.actions.key),
            target(OutputSchema.dailyFunnel, "touched_funnel", LedgerTable.funnel.key),
        ]
            + [
                OutputSchema.dailyTotals, OutputSchema.hourlyActions, OutputSchema.dailyLateness, OutputSchema.dailyPaths,
            ].map { target($0, "touched_days", ["day"]) }
            + OutputSchema.byDelivery.map { target($0, "touched_deliveries", ["delivery_id"]) }
    }()

    /// The statements of `publish.sql` by the names that their comments begin with.
    static func statements(in sql: String) -> [String: String] {
        var statements: [String: String] = [:]
        for match in sql.matches(of: /-- ([a-z_]+): [^;]*?\n(SELECT[^;]*);/) {
            statements[String(match.1)] = String(match.2)
        }
        return statements
    }

    /// The rows of the ledger's tables that a publishing reads, by the names that `publish.sql` uses.
    private static let views: [(name: String, touched: String, columns: [String])] = [
        ("actions", "touched_actions", LedgerTable.actions.key), ("funnel", "touched_funnel", LedgerTable.funnel.key),
        ("hours", "touched_days", ["day"]), ("paths", "touched_days", ["day"]),
        ("by_delivery", "touched_deliveries", ["delivery_id"]),
    ]

    /// Makes the names of the ledger's tables stand for their touched rows. `ledger` must be attached.
    static func attachViews(to database: Database) throws {
        for (name, touched, columns) in views {
            // The keys are those of the touched table: their order is that of the groups, which need no sorting then.
            try database.execute(
                sql: """
                    CREATE TEMP VIEW \(name) AS SELECT * FROM ledger.\(touched)
                    CROSS JOIN ledger.\(name) USING (\(columns.joined(separator: ", ")))
                    """)
        }
        for name in ["arrivals", "listed", "listed_platforms"] {
            try database.execute(sql: "CREATE TEMP VIEW \(name) AS SELECT * FROM ledger.\(name)")
        }
    }

    /// Writes the rows that differ. Returns their number.
    static func write(to database: Database) throws -> Int {
        let before = try totalChanges(database)
        var others = 0
        for target in targets {
            let table = target.table
            let now = "now_\(table.name)"
            let start = try totalChanges(database)
            try database.execute(
                sql: table.creation.replacing("CREATE TABLE \(table.name) ", with: "CREATE TEMP TABLE \(now) "))
            try database.execute(sql: "INSERT INTO temp.\(now) \(target.selection)")
            others += try totalChanges(database) - start
            func equal(_ columns: [String]) -> String {
                columns.map { "old.\($0) IS new.\($0)" }.joined(separator: " AND ")
            }
            let values = table.columns.map(\.name).filter { !table.key.contains($0) }
            try database.execute(
                sql: """
                    DELETE FROM main.\(table.name) AS old
                    WHERE (\(target.scope)) IN (SELECT \(target.scope) FROM ledger.\(target.touched))
                    AND NOT EXISTS (SELECT 1 FROM temp.\(now) AS new WHERE \(equal(table.key)));
                    INSERT INTO main.\(table.name) SELECT * FROM temp.\(now) AS new
                    WHERE NOT EXISTS (
                      SELECT 1 FROM main.\(table.name) AS old WHERE \(equal(table.key)) AND \(equal(values))
                    )
                    ON CONFLICT (\(table.key.joined(separator: ", "))) DO UPDATE SET
                    \(values.map { "\($0) = excluded.\($0)" }.joined(separator: ", "));
                    DROP TABLE temp.\(now)
                    """)
        }
        return try totalChanges(database) - before - others
    }

    private static func totalChanges(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT total_changes()") ?? 0
    }
}
