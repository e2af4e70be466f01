import Events
import Messages
import Partitions
import Posix
import SQLite

/// Writes to push.db what follows from the ledger, see `publish.sql`: all that is touched, or everything.
///
/// The connection has push.db as `main`, and the ledger attached as `ledger`.
package struct LedgerPublishing {
    /// A table of push.db, and the statement that gives its rows.
    private struct Target: Sendable {
        let table: Table
        /// What says which of its rows are touched; nil if all are always compared.
        let touched: ToDoList?
        let statement: String

        var rows: RowReplacement {
            RowReplacement(table.name, columns: table.columns.map(\.name), key: table.key)
        }
    }

    /// In the order in which they are written: some follow from others.
    private static let targets: [Target] = {
        var statements = LedgerPublishing.statements(in: Ledger.sql(PackageResources.publish_sql))
        statements[OutputSchema.columnsHelp.name] = "SELECT * FROM temp.help"
        let touched: [String: ToDoList] = [
            OutputSchema.dailyActions.name: .actions, OutputSchema.dailyFunnel.name: .funnel,
            OutputSchema.dailyTotals.name: .days, OutputSchema.hourlyActions.name: .days,
            OutputSchema.dailyLateness.name: .days, OutputSchema.dailyPaths.name: .days,
            OutputSchema.deliveries.name: .deliveries, OutputSchema.deliveryResults.name: .deliveries,
            OutputSchema.deliveryPlatforms.name: .deliveries, OutputSchema.files.name: .logDates,
            OutputSchema.outcomes.name: .logDates,
        ]
        assert(Set(statements.keys).isSuperset(of: OutputSchema.tables.map(\.name)))
        return OutputSchema.tables.map { table in
            Target(table: table, touched: touched[table.name], statement: statements[table.name] ?? "")
        }
    }()

    /// The statements of `publish.sql`, by the names that their comments begin with.
    static func statements(in sql: String) -> [String: String] {
        var statements: [String: String] = [:]
        for match in sql.matches(of: /-- ([a-z_]+): [^;]*?\n((?:SELECT|WITH)[^;]*);/) {
            statements[String(match.1)] = String(match.2)
        }
        return statements
    }

    /// The tables of the ledger of which a publishing reads the touched rows alone.
    private static let narrowed =
        LedgerTable.all.map { ($0.name, $0.touched) } + [("files", .logDates), ("outcomes", .logDates)]

    package typealias Differences = RowReplacement.Differences

    package let database: Database

    /// - Parameter database: see above.
    package init(_ database: Database) {
        self.database = database
    }

    /// Makes the temporary tables. Call it once for a connection, when push.db has its tables.
    /// - Parameter isNew: whether these have no rows.
    package func prepare(isNew: Bool = false) throws {
        for name in ["arrivals", "facts", "listed", "listed_platforms", "partitions", "runs", "loads", "changes"] {
            try database.execute("CREATE TEMP VIEW \(name) AS SELECT * FROM ledger.\(name)")
        }
        if !isNew {
            for target in LedgerPublishing.targets { try target.rows.createTables(in: database) }
        }
        try database.execute(
            """
            CREATE TEMP TABLE changed_days (day TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;
            CREATE TEMP TABLE written_days (day TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;
            CREATE TEMP TABLE changed_deliveries (delivery_id TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;
            CREATE TEMP TABLE help AS SELECT * FROM columns_help WHERE 0
            """)
        let insertion = "INSERT INTO temp.help VALUES (?, ?, ?, ?, ?, ?)"
        for row in OutputSchema.helpRows { try database.execute(insertion, row) }
    }

    /// Writes all that is touched.
    /// - Parameters:
    ///   - tables: the names of those to write.
    ///   - checking: called when all is written, while the temporary tables have what differs.
    /// - Returns: how many rows differed, by table.
    package func writeTouched(
        _ tables: (String) -> Bool = { _ in true }, checking: () throws -> Void
    ) throws -> [String: Differences] {
        try withViews(LedgerPublishing.touchedRows) {
            var changes: [String: Differences] = [:]
            for target in LedgerPublishing.targets where tables(target.table.name) {
                let standing = target.touched.map { touched in
                    let keys = touched.columns.map { "old.\($0) = touched.\($0)" }.joined(separator: " AND ")
                    return "ledger.\(touched.table) AS touched CROSS JOIN \(target.rows.table) AS old WHERE \(keys)"
                }
                changes[target.table.name] = try write(
                    target, among: standing ?? "\(target.rows.table) AS old WHERE true")
            }
            try checking()
            for target in LedgerPublishing.targets { try target.rows.clear(in: database) }
            return changes
        }
    }

    /// Of a table of the ledger what is touched. The keys are those of the to-do list: their order is that of the groups, which
    /// need no sorting then.
    private static func touchedRows(_ name: String, _ touched: ToDoList) -> String {
        "SELECT * FROM ledger.\(touched.table) CROSS JOIN ledger.\(name) "
            + "USING (\(touched.columns.joined(separator: ", ")))"
    }

    /// How SQLite runs the statements for what is touched, by the table that they write.
    func plansForTouched() throws -> [String: [String]] {
        try withViews(LedgerPublishing.touchedRows) {
            let plans = try LedgerPublishing.targets.map { target in
                let steps = try database.rows("EXPLAIN QUERY PLAN \(target.statement)") { try $0.read(3) as String }
                return (target.table.name, steps)
            }
            return Dictionary(uniqueKeysWithValues: plans)
        }
    }

    /// Writes all rows of a push.db that has none. Nobody knows how the former one differed from what was still to be written, so
    /// all of that counts as changed.
    /// - Returns: the number of rows, by table.
    package func writeNew() throws -> [String: Differences] {
        try withViews { name, _ in
            "SELECT * FROM ledger.\(name)"
        } body: {
            var rows: [String: Differences] = [:]
            for target in LedgerPublishing.targets {
                try database.execute("INSERT INTO main.\(target.table.name) \(target.statement)")
                rows[target.table.name] = Differences(count: database.changes)
            }
            try database.execute(
                """
                INSERT INTO temp.written_days SELECT DISTINCT day FROM main.daily_totals;
                INSERT INTO temp.changed_days SELECT day FROM ledger.touched_days;
                INSERT INTO temp.changed_deliveries SELECT delivery_id FROM main.deliveries
                """)
            return rows
        }
    }

    /// Compares all rows, and writes those that differ.
    /// - Parameters:
    ///   - areChanges: whether the differences are those of a publishing. Else something else has changed push.db.
    ///   - isComparedOnly: whether nothing is written.
    /// - Returns: how many rows differed, by table.
    package func writeAll(areChanges: Bool, isComparedOnly: Bool = false) throws -> [String: Differences] {
        var changes: [String: Differences] = [:]
        for target in LedgerPublishing.targets {
            for condition in try parts(target) {
                let found = try withViews { name, touched in
                    "SELECT * FROM ledger.\(name)" + (touched.isByDay ? " WHERE \(condition)" : "")
                } body: {
                    try write(
                        target, among: "\(target.rows.table) AS old WHERE \(condition)", areChanges: areChanges,
                        isComparedOnly: isComparedOnly)
                }
                try target.rows.clear(in: database)
                changes[target.table.name] = (changes[target.table.name] ?? Differences()) + found
            }
            if isComparedOnly { try setRight(target) }
        }
        return changes
    }

    /// Puts a table as it must be in place of one that is only compared, if other tables follow from it. They would differ where
    /// it does.
    private func setRight(_ target: Target) throws {
        let name = target.table.name
        guard [OutputSchema.dailyTotals.name, OutputSchema.days.name].contains(name) else { return }
        try withViews { name, _ in
            "SELECT * FROM ledger.\(name)"
        } body: {
            try database.execute("CREATE TEMP TABLE \(name) AS \(target.statement)")
        }
    }

    /// SQL that is true for parts of a table that are written one after another, so that the temporary tables stay small: a month
    /// of days each. What others have written for a day may be anything, so the first and the last part have one bound.
    private func parts(_ target: Target) throws -> [String] {
        guard let touched = target.touched, touched.isByDay else { return ["true"] }
        let months: [String] = try database.column("SELECT DISTINCT substr(day, 1, 7) FROM ledger.hours ORDER BY 1")
        let bounds = months.dropFirst()
        let lower = [nil] + bounds.map { "day >= '\($0)'" }
        let upper = bounds.map { "day < '\($0)'" } + [nil]
        return zip(lower, upper).map { [$0, $1].compactMap { $0 }.joined(separator: " AND ") }
            .map { $0.isEmpty ? "true" : $0 }
    }

    private func withViews<Result>(
        _ selection: (String, ToDoList) -> String, body: () throws -> Result
    ) throws -> Result {
        for (name, touched) in LedgerPublishing.narrowed {
            try database.execute("CREATE TEMP VIEW \(name) AS \(selection(name, touched))")
        }
        let result = try body()
        for (name, _) in LedgerPublishing.narrowed { try database.execute("DROP VIEW temp.\(name)") }
        return result
    }

    /// Leaves the temporary tables with what differs.
    /// - Parameter standing: see `RowReplacement`.
    private func write(
        _ target: Target, among standing: String, areChanges: Bool = true, isComparedOnly: Bool = false
    ) throws -> Differences {
        let rows = target.rows
        try database.execute("INSERT INTO \(rows.new) \(target.statement)")
        let differences = try rows.find(among: standing, in: database)
        if differences.count > 0, !isComparedOnly {
            try note(target, [rows.came, rows.former], areChanges: areChanges)
            try rows.apply(in: database)
        }
        return differences
    }

    private func note(_ target: Target, _ differences: [String], areChanges: Bool) throws {
        func note(_ column: String, in table: String) throws {
            for rows in differences {
                try database.execute("INSERT OR IGNORE INTO temp.\(table) SELECT \(column) FROM \(rows)")
            }
        }
        if OutputSchema.byDelivery.contains(where: { $0.name == target.table.name }) {
            try note("delivery_id", in: "changed_deliveries")
        } else if OutputSchema.daily.contains(where: { $0.name == target.table.name }) {
            try note("day", in: "written_days")
            if areChanges { try note("day", in: "changed_days") }
        }
    }
}

// What a publishing tells and checks.

extension LedgerPublishing {
    /// Whether push.db says that it shows what the ledger has. Its table `publication` must be there.
    package func showsPublication() throws -> Bool {
        let selection =
            LedgerPublishing.targets.first { $0.table.name == OutputSchema.publication.name }?.statement ?? ""
        let (wanted, shown) = ("SELECT item, version FROM (\(selection))", "SELECT item, version FROM main.publication")
        return try ["\(wanted) EXCEPT \(shown)", "\(shown) EXCEPT \(wanted)"].allSatisfy { sql in
            try !database.hasRow(sql)
        }
    }

    /// Whether a row of `about` that is there has another value.
    package func differs(_ key: String, besides isOld: (String) -> Bool) throws -> Bool {
        if isOld(OutputSchema.about.name) { return false }
        return try database.hasRow(
            "SELECT 1 FROM main.about AS shown JOIN ledger.facts AS known USING (key) "
                + "WHERE key = ? AND shown.value IS NOT known.value", .of(key))
    }

    /// The tables in which something else has changed rows, of those that differ.
    /// - Parameters:
    ///   - isWaiting: whether rows of the history are still to be written. Those are no change of others.
    ///   - isOtherVersion: whether another version of the program has written push.db, which alone is no change.
    package static func changedByOthers(
        _ differences: [String: Differences], isWaiting: Bool, isOtherVersion: Bool
    ) -> [String] {
        differences.filter { name, found in
            let rows = isWaiting && OutputSchema.isHistory(name) ? found.ofKnownKeys : found.count
            return rows > (name == OutputSchema.about.name && isOtherVersion ? 1 : 0)
        }.keys.sorted()
    }

    /// Adds days of which a sum is another than the last publishing left.
    package func noteOtherSums() throws {
        try database.execute(
            """
            INSERT OR IGNORE INTO temp.changed_days
            SELECT day FROM (\(LedgerPublishing.sums) EXCEPT SELECT day, events, messages, opened FROM ledger.published)
            UNION SELECT day FROM ledger.published WHERE day NOT IN (SELECT day FROM main.daily_totals)
            """)
    }

    /// The sums of the days that push.db shows now.
    package static let sums = """
        SELECT day, sum(events) AS events, sum(messages) AS messages, sum(opened) AS opened FROM main.daily_totals GROUP BY day
        """

    /// The number of a publishing in `changes`. Where nobody knows the former numbers, it is above all of them: the time.
    package func nextNumber(isFirst: Bool) throws -> Int {
        // Somebody may have written a number after which no other comes.
        let last: Int? = try database.value("SELECT max(number) FROM ledger.changes WHERE number < 1 << 60")
        if let last { return max(last, 0) + 1 }
        let isKnown = try ["runs", "published_versions"].contains { table in
            try database.hasRow("SELECT 1 FROM ledger.\(table)")
        }
        return isFirst || isKnown ? 1 : Int(FileStamp.now() / 1_000_000_000)
    }

    /// Adds rows of `changes` for the days of which this publishing has changed a row. Returns them.
    /// - Parameter time: in the form of the tables.
    package func addChanges(number: Int, time: String) throws -> [[DatabaseValue]] {
        try database.execute(
            """
            INSERT INTO main.changes
            SELECT ?, ?, \(LedgerPublishing.newLogDates), day, coalesce(p.events, 0), coalesce(s.events, 0),
              coalesce(p.messages, 0), coalesce(s.messages, 0), coalesce(p.opened, 0), coalesce(s.opened, 0)
            FROM temp.changed_days LEFT JOIN ledger.published AS p USING (day)
            LEFT JOIN (\(LedgerPublishing.sums)) AS s USING (day)
            """, .of(number, time))
        return try database.rows("SELECT * FROM main.changes WHERE number = ?", .of(number)) { $0.values }
    }

    /// The log dates of which push.db shows another version or none.
    private static let newLogDates = """
        (SELECT coalesce(group_concat(log_date, ' '), '') FROM (
          SELECT log_date FROM ledger.partitions AS p LEFT JOIN ledger.published_versions AS v USING (log_date)
          WHERE p.version IS NOT v.version ORDER BY log_date))
        """

    /// Deliveries that were written, of which more messages arrived than were sent; one for each.
    package func understated() throws -> [UnderstatedDelivery] {
        let ranks = Platform.allCases.map { "WHEN '\($0.name)' THEN \($0.rawValue)" }.joined(separator: " ")
        return try database.rows(
            """
            SELECT delivery_id, platform, sent, arrived, min(rank) FROM (
              SELECT delivery_id, NULL AS platform, sent, arrived, -1 AS rank FROM temp.changed_deliveries
              CROSS JOIN main.delivery_results USING (delivery_id) WHERE sent < arrived
              UNION ALL
              SELECT delivery_id, platform, sent, arrived, CASE platform \(ranks) END FROM temp.changed_deliveries
              CROSS JOIN main.delivery_platforms USING (delivery_id) WHERE sent < arrived)
            GROUP BY delivery_id ORDER BY delivery_id
            """
        ) { row in
            let name: String? = try row.read(1)
            return UnderstatedDelivery(
                id: try row.read(0), platform: Platform.allCases.first { $0.name == name }, sent: try row.read(2),
                arrived: try row.read(3))
        }
    }

    /// Checks that the tables add up to one another, on the days that were written or in what has changed.
    /// - Throws: if they do not.
    package func checkSums(of rows: TableSums.Rows, path: String) throws {
        for comparison in TableSums.all {
            guard let day = try comparison.difference(of: rows, in: database) else { continue }
            throw WarehouseError.other(
                .at(
                    path, "tables_disagree",
                    "\(comparison.tables.joined(separator: " and ")) have different sums on \(day): "
                        + "a fault of pushetl, please report it; nothing was published", .internalFault))
        }
    }
}

/// A delivery of which more messages arrived than were sent, by the delivery files.
package struct UnderstatedDelivery: Equatable, Sendable {
    package let id: String
    /// Nil for all platforms together.
    package let platform: Platform?
    package let sent: Int
    package let arrived: Int
}

extension [UnderstatedDelivery] {
    /// Nil if there is none.
    package var message: Message? {
        guard !isEmpty else { return nil }
        let list = few { delivery in
            let platform: MessageText = delivery.platform.map { " on \($0.name)" } ?? ""
            return
                "\(delivery.id)\(platform) (\(Text.number(delivery.sent)) sent, \(Text.number(delivery.arrived)) arrived)"
        }
        return Message(
            "sent_below_arrived",
            """
            \(Text.plural(count, "delivery", "deliveries")) arrived more often than sent: \(list); \
            check 'sent' in the delivery files
            """)
    }
}
