import SQLite

/// Writes to push.db what follows from the ledger, see `publish.sql`: all that is touched, or everything.
///
/// The connection has push.db as `main`, and the ledger attached as `ledger`.
struct LedgerPublishing {
    /// A table of push.db, and the statement that gives its rows.
    private struct Target: Sendable {
        let table: Table
        /// What says which of its rows are touched; nil if all are always compared.
        let touched: Touched?
        let statement: String

        var rows: RowReplacement {
            RowReplacement(table.name, columns: table.columns.map(\.name), key: table.key)
        }
    }

    /// A to-do list of the ledger.
    private struct Touched: Sendable {
        let table: String
        let columns: [String]
        var isByDay: Bool { columns[0] == "day" }

        static let actions = Touched(table: "touched_actions", columns: LedgerTable.actions.key)
        static let funnel = Touched(table: "touched_funnel", columns: LedgerTable.funnel.key)
        static let days = Touched(table: "touched_days", columns: ["day"])
        static let deliveries = Touched(table: "touched_deliveries", columns: ["delivery_id"])
        static let logDates = Touched(table: "touched_log_dates", columns: ["log_date"])

        static let all = [actions, funnel, days, deliveries, logDates]
    }

    /// In the order in which they are written: some follow from others.
    private static let targets: [Target] = {
        let statements = LedgerPublishing.statements(in: Ledger.sql(PackageResources.publish_sql))
        let tables: [(Table, Touched?)] =
            [
                (OutputSchema.dailyActions, .actions), (OutputSchema.dailyFunnel, .funnel),
                (OutputSchema.dailyTotals, .days), (OutputSchema.hourlyActions, .days),
                (OutputSchema.dailyLateness, .days), (OutputSchema.dailyPaths, .days), (OutputSchema.days, nil),
            ] + OutputSchema.byDelivery.map { ($0, .deliveries) } + [
                (OutputSchema.partitions, nil), (OutputSchema.files, .logDates), (OutputSchema.outcomes, .logDates),
            ]
        return tables.map { Target(table: $0, touched: $1, statement: statements[$0.name] ?? "") }
    }()

    /// The tables of push.db that follow from the ledger.
    static var tables: [Table] { targets.map(\.table) }

    /// The statements of `publish.sql`, by the names that their comments begin with.
    static func statements(in sql: String) -> [String: String] {
        var statements: [String: String] = [:]
        for match in sql.matches(of: /-- ([a-z_]+): [^;]*?\n(SELECT[^;]*);/) {
            statements[String(match.1)] = String(match.2)
        }
        return statements
    }

    /// The tables of the ledger of which a publishing reads the touched rows alone.
    private static let narrowed: [(name: String, touched: Touched)] = [
        ("actions", .actions), ("funnel", .funnel), ("hours", .days), ("paths", .days), ("by_delivery", .deliveries),
        ("files", .logDates), ("outcomes", .logDates),
    ]

    let database: Database

    /// Makes the temporary tables. Call it once for a connection.
    func prepare() throws {
        for name in ["arrivals", "facts", "listed", "listed_platforms", "partitions"] {
            try database.execute(sql: "CREATE TEMP VIEW \(name) AS SELECT * FROM ledger.\(name)")
        }
        for target in LedgerPublishing.targets { try target.rows.createTables(in: database) }
    }

    /// Writes all that is touched. Returns the number of rows that differed.
    func writeTouched() throws -> Int {
        try withViews { touched in
            // The keys are those of the to-do list: their order is that of the groups, which need no sorting then.
            { name in
                "SELECT * FROM ledger.\(touched.table) CROSS JOIN ledger.\(name) "
                    + "USING (\(touched.columns.joined(separator: ", ")))"
            }
        } body: {
            try LedgerPublishing.targets.reduce(0) { changes, target in
                let standing = target.touched.map { touched in
                    let keys = touched.columns.map { "old.\($0) = touched.\($0)" }.joined(separator: " AND ")
                    return "ledger.\(touched.table) AS touched CROSS JOIN \(target.rows.table) AS old WHERE \(keys)"
                }
                return changes + (try write(target, among: standing ?? "\(target.rows.table) AS old WHERE true"))
            }
        }
    }

    /// Compares all rows, and writes those that differ. Returns their number by table.
    func writeAll() throws -> [String: Int] {
        var changes: [String: Int] = [:]
        for target in LedgerPublishing.targets {
            for (lower, upper) in try ranges(target) {
                let condition = lower.map { "day >= '\($0)' AND day < '\(upper ?? "")'" }
                changes[target.table.name, default: 0] += try withViews { touched in
                    { name in
                        "SELECT * FROM ledger.\(name)"
                            + (touched.isByDay ? condition.map { " WHERE \($0)" } ?? "" : "")
                    }
                } body: {
                    try write(target, among: "\(target.rows.table) AS old WHERE \(condition ?? "true")")
                }
            }
        }
        return changes
    }

    /// Clears the to-do lists, once all that they name is committed.
    func clearTouched() throws {
        for touched in Touched.all { try database.execute(sql: "DELETE FROM ledger.\(touched.table)") }
    }

    /// Parts of a table that are written one after another, so that the temporary tables stay small: a month of days each.
    private func ranges(_ target: Target) throws -> [(lower: String?, upper: String?)] {
        guard let touched = target.touched, touched.isByDay else { return [(nil, nil)] }
        let months = try String.fetchAll(
            database,
            sql: """
                SELECT DISTINCT substr(day, 1, 7) FROM (SELECT day FROM ledger.hours UNION ALL SELECT day FROM main.\(target.table.name))
                ORDER BY 1
                """)
        return months.map { ("\($0)", "\($0)-99") }
    }

    private func withViews<Result>(
        _ selection: (Touched) -> (String) -> String, body: () throws -> Result
    ) throws -> Result {
        for (name, touched) in LedgerPublishing.narrowed {
            try database.execute(sql: "CREATE TEMP VIEW \(name) AS \(selection(touched)(name))")
        }
        let result = try body()
        for (name, _) in LedgerPublishing.narrowed { try database.execute(sql: "DROP VIEW temp.\(name)") }
        return result
    }

    /// - Parameter standing: see `RowReplacement`.
    private func write(_ target: Target, among standing: String) throws -> Int {
        let rows = target.rows
        try database.execute(sql: "INSERT INTO \(rows.new) \(target.statement)")
        try rows.find(among: standing, in: database)
        let changes = try [rows.came, rows.gone].reduce(0) { sum, table in
            sum + (try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0)
        }
        try rows.apply(in: database)
        try rows.clear(in: database)
        return changes
    }
}
