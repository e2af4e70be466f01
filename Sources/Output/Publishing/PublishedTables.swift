import Counting
import Events
import Messages
import Partitions
import SQLite

/// Writes the tables for readers that have no rows by log date, with the statements in `publish.sql`. In tables by day
/// or by delivery only the touched rows are replaced. Small tables are replaced whole.
struct PublishedTables {
    /// A table, and the statement that gives its rows.
    private struct Target: Sendable {
        let table: Table
        /// SQL that is true for its rows that are touched; nil for all.
        let touched: String?
        let statement: String
    }

    /// In the order of writing: some tables are computed from earlier ones.
    private static let targets: [Target] = {
        let sql = String(decoding: PackageResources.publish_sql, as: UTF8.self)
        var statements: [String: String] = [:]
        for lines in sql.split(separator: "\n", omittingEmptySubsequences: false).split(whereSeparator: \.isEmpty) {
            // The comment before a statement begins with the statement's name.
            let name = lines[lines.startIndex].drop { "- ".contains($0) }.prefix { $0 != ":" }
            let statement = lines.filter { !$0.hasPrefix("--") }.joined(separator: "\n").prefix { $0 != ";" }
            if !statement.isEmpty { statements[String(name)] = repeated(String(statement)) }
        }
        var touched = [OutputSchema.dailyTotals.name: "day IN (SELECT day FROM temp.touched_days)"]
        for table in OutputSchema.byDelivery {
            touched[table.name] = "delivery_id IN (SELECT delivery_id FROM temp.touched_deliveries)"
        }
        return OutputSchema.tables.compactMap { table in
            statements[table.name].map { Target(table: table, touched: touched[table.name], statement: $0) }
        }
    }()

    private static let notSent = "not sent: "

    /// Replaces the placeholders for funnel columns in a statement. A sum with an unknown part becomes NULL. (What
    /// splits at more than one character, or at a regular expression, would take a tenth of a short command.)
    private static func repeated(_ sql: String) -> String {
        func terms(_ text: Substring, of columns: [FunnelColumn]) -> [String] {
            columns.map { column in
                let text =
                    column.mayBeUnknown
                    ? text.replacing("sum(#)", with: "CASE WHEN count(#) = count(messages) THEN sum(#) END") : text
                return text.split(separator: "#", omittingEmptySubsequences: false).joined(separator: column.name)
            }
        }
        let repeated = replacing(from: "{", to: "}", in: sql) { text in
            let isOfAll = !text.hasPrefix(notSent)
            let columns = FunnelColumn.allCases.filter { isOfAll || $0 != .sent }
            return terms(isOfAll ? text : text.dropFirst(notSent.count), of: columns).joined(separator: ", ")
        }
        return replacing(from: "[", to: "]", in: repeated) { text in
            terms(text, of: FunnelColumn.allCases.filter(\.mayBeUnknown)).joined()
        }
    }

    /// Replaces each text between brackets, with the brackets.
    private static func replacing(
        from open: Character, to close: Character, in sql: String, _ body: (Substring) -> String
    ) -> String {
        let parts = sql.split(separator: open, omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(parts[0])) { text, part in
            let ends = part.split(separator: close, maxSplits: 1, omittingEmptySubsequences: false)
            text += body(ends[0]) + ends[1]
        }
    }

    /// All statements, with the names of their tables.
    static var statements: [(table: String, sql: String)] { targets.map { ($0.table.name, $0.statement) } }

    let database: Database

    /// With more look-ups of a day and delivery than this, reading all rows is faster.
    private static let mostLookups = 300_000.0

    func write(_ partitions: PartitionSet, settings: PublicationSettings) throws {
        try setLoaded(from: partitions, settings: settings)
        for (name, table) in [("touched_actions", "daily_actions"), ("touched_funnel", "daily_funnel")] {
            try database.execute(
                "CREATE TEMP VIEW \(name) AS SELECT * FROM temp.touched_days CROSS JOIN main.\(table) USING (day)")
        }
        for target in PublishedTables.targets {
            if target.table.name == OutputSchema.deliveries.name { try gatherDeliveries() }
            let condition = target.touched.map { " WHERE \($0)" } ?? ""
            try database.execute("DELETE FROM main.\(target.table.name)\(condition)")
            try database.execute("INSERT INTO main.\(target.table.name) \(target.statement)")
        }
        if try !database.hasRow("SELECT 1 FROM main.columns_help") {
            for row in OutputSchema.helpRows { try OutputSchema.columnsHelp.insert(row, into: database) }
        }
    }

    func write(_ held: [HeldRecord]) throws {
        try database.execute("DELETE FROM main.held")
        for record in held { try OutputSchema.held.insert(record.texts.map(DatabaseValue.string), into: database) }
    }

    private func setLoaded(from partitions: PartitionSet, settings: PublicationSettings) throws {
        let columns = OutputSchema.partitionColumns.map(\.name) + ["version"]
        // The column needs the type of a day. Otherwise SQLite does not use the key to look up days.
        let typed = columns.map { $0 == "log_date" ? "log_date DATE" : $0 }
        try database.execute(
            "CREATE TABLE temp.loaded (\(typed.joined(separator: ", ")), PRIMARY KEY (log_date)) WITHOUT ROWID")
        let insertion = try database.prepare(
            "INSERT INTO temp.loaded VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))")
        for summary in partitions.summaries {
            let pipeline =
                settings.isReadByOtherRules(summary) ? "\(summary.pipeline)-\(summary.zone)" : summary.pipeline
            let status = summary.status(required: settings.requiredSources)
            try insertion.execute(summary.counts(status) + .of(pipeline, summary.version))
        }
    }

    /// Collects the rows of the touched deliveries. The days from a delivery's first to its last, before or now, are
    /// looked up one by one. If these are too many, all rows are read.
    private func gatherDeliveries() throws {
        try database.execute(PublishedTables.spans)
        let lookups: Double? = try database.value(
            "SELECT sum(julianday(last) - julianday(first) + 1) FROM temp.delivery_spans")
        let isWhole = lookups ?? 0 > PublishedTables.mostLookups
        for sql in isWhole ? PublishedTables.readingWhole : PublishedTables.lookingUp { try database.execute(sql) }
        // A delivery has one row: what joins it needs no order of its own.
        try database.execute("CREATE UNIQUE INDEX temp.delivery_days_by_id ON delivery_days (delivery_id)")
        try database.execute(PublishedTables.names)
    }

    /// The names of the touched deliveries. They are inserted in the order of log dates, so the latest one stays.
    private static let names = """
        CREATE TABLE temp.delivery_names (
          delivery_id TEXT PRIMARY KEY NOT NULL, label TEXT, campaign TEXT, variant TEXT
        ) WITHOUT ROWID;
        INSERT INTO temp.delivery_names
        SELECT delivery_id, label, campaign, variant FROM main._named
        WHERE delivery_id IN (SELECT delivery_id FROM temp.touched_deliveries) ORDER BY log_date
        ON CONFLICT DO UPDATE SET
          label = coalesce(excluded.label, label), campaign = coalesce(excluded.campaign, campaign),
          variant = coalesce(excluded.variant, variant)
        """

    /// The days between which each touched delivery may have rows; NULL for one without.
    private static let spans = """
        CREATE TABLE temp.all_days (day TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;
        INSERT INTO temp.all_days SELECT DISTINCT day FROM main.daily_totals;
        CREATE TABLE temp.delivery_spans (delivery_id TEXT PRIMARY KEY NOT NULL, first TEXT, last TEXT) WITHOUT ROWID;
        INSERT INTO temp.delivery_spans
        SELECT delivery_id, min(coalesce(first_day, f), coalesce(f, first_day)), max(coalesce(last_day, l), coalesce(l, last_day))
        FROM temp.touched_deliveries LEFT JOIN main.deliveries USING (delivery_id)
        CROSS JOIN (SELECT min(day) AS f, max(day) AS l FROM temp.touched_days)
        """

    private static let sums = repeated("delivery_id, platform, {sum(#) AS #}")

    /// The statements that make `delivery_days` and `delivery_funnel` of single days.
    static let lookingUp: [String] = {
        func day(_ order: String) -> String {
            """
            SELECT a.day FROM temp.all_days AS a WHERE a.day BETWEEN s.first AND s.last AND EXISTS (
              SELECT 1 FROM main.daily_actions AS d WHERE d.day = a.day AND d.delivery_id = s.delivery_id
            ) ORDER BY a.day \(order) LIMIT 1
            """
        }
        return [
            """
            CREATE TABLE temp.delivery_days AS
            SELECT delivery_id, (\(day("ASC"))) AS first_day, (\(day("DESC"))) AS last_day FROM temp.delivery_spans AS s
            """,
            """
            CREATE TABLE temp.delivery_funnel AS
            SELECT \(sums)
            FROM temp.delivery_spans CROSS JOIN temp.all_days AS a ON a.day BETWEEN first AND last
            CROSS JOIN main.daily_funnel USING (day, delivery_id)
            GROUP BY delivery_id, platform
            """,
        ]
    }()

    /// The statements that make `delivery_days` and `delivery_funnel` from all rows.
    static let readingWhole = [
        """
        CREATE TABLE temp.delivery_days AS
        SELECT delivery_id, min(day) AS first_day, max(day) AS last_day FROM main.daily_actions
        WHERE delivery_id IN (SELECT delivery_id FROM temp.touched_deliveries) GROUP BY delivery_id
        """,
        """
        CREATE TABLE temp.delivery_funnel AS
        SELECT \(sums) FROM main.daily_funnel
        WHERE delivery_id IN (SELECT delivery_id FROM temp.touched_deliveries) GROUP BY delivery_id, platform
        """,
    ]
}

// Messages and checks of a publishing.

extension PublishedTables {
    /// The written deliveries for which more messages were sent, or arrived, than the delivery files say were sent. One
    /// entry for each.
    func understated() throws -> [UnderstatedDelivery] {
        let ranks = Platform.allCases.map { "WHEN '\($0.name)' THEN \($0.rawValue)" }.joined(separator: " ")
        return try database.rows(
            """
            SELECT delivery_id, platform, listed, sent, arrived, min(rank) FROM (
              SELECT delivery_id, NULL AS platform, l.sent AS listed, sum(f.sent) AS sent, sum(arrived) AS arrived, -1 AS rank
              FROM temp.delivery_funnel AS f JOIN main._listed AS l USING (delivery_id)
              GROUP BY delivery_id HAVING l.sent < max(sum(f.sent), sum(arrived))
              UNION ALL
              SELECT delivery_id, platform, l.sent, f.sent, arrived, CASE platform \(ranks) END
              FROM temp.delivery_funnel AS f JOIN main._listed_platforms AS l USING (delivery_id, platform)
              WHERE l.sent < max(f.sent, arrived))
            GROUP BY delivery_id ORDER BY delivery_id
            """
        ) { row in
            let name: String? = try row.read(1)
            return UnderstatedDelivery(
                id: try row.read(0), platform: Platform.allCases.first { $0.name == name }, listed: try row.read(2),
                sent: try row.read(3), arrived: try row.read(4))
        }
    }

    /// Checks that different tables have the same sums on the days that were written.
    /// - Throws: if the sums differ.
    func checkSums(path: String) throws {
        for comparison in TableSums.all {
            guard let day = try comparison.difference(in: database) else { continue }
            throw Fault.at(
                path, code: .tablesDisagree,
                text: "\(comparison.tables.joined(separator: " and ")) have different sums on \(day): "
                    + "a fault of pushetl, please report it; nothing was published", exitStatus: .internalFault)
        }
    }
}

extension [UnderstatedDelivery] {
    /// The message about all of them; nil if there are none.
    package var message: Message? {
        guard !isEmpty else { return nil }
        let list = few { delivery in
            let platform: MessageText = delivery.platform.map { " on \($0.name)" } ?? ""
            let more =
                delivery.sent > delivery.listed
                ? "\(Text.number(delivery.sent)) by its events" : "\(Text.number(delivery.arrived)) arrived"
            return "\(delivery.id)\(platform) (\(Text.number(delivery.listed)) sent, \(more))"
        }
        return Message(
            .sentTooLow,
            text: """
                \(Text.plural(count, of: "delivery has", irregular: "deliveries have")) more messages than the delivery files say were sent: \(list); \
                check 'sent' in these files
                """)
    }
}
