import Partitions
import SQLite

/// Two tables, or queries, that have the same sums for each value of the columns that they share.
struct SumComparison {
    struct Source {
        /// Its name for people, and what stands after FROM.
        let name: String
        let sql: String
        let dimensions: [String]
        let counts: [String]

        init(_ name: String, _ sql: String, _ dimensions: [String], _ counts: [String]) {
            self.name = name
            self.sql = sql
            self.dimensions = dimensions
            self.counts = counts
        }

        /// All columns of a table that may be summed, and all that they may be grouped by.
        init(_ table: Partitions.Table) {
            name = table.name
            sql = "\(table.name) NOT INDEXED"
            dimensions = table.columns.filter { $0.name == "day" || $0.kind == .dimension }.map(\.name)
            counts = table.columns.filter { $0.kind == .additive }.map(\.name)
        }

        fileprivate func sums(_ dimensions: [String], _ counts: [String], sign: String) -> String {
            let sums = counts.map { "\(sign)total(\($0)) AS \($0)" }
            let groups = dimensions.joined(separator: ", ")
            return "SELECT \((dimensions + sums).joined(separator: ", ")) FROM \(sql) GROUP BY \(groups)"
        }
    }

    let a: Source
    let b: Source

    init(_ a: Source, _ b: Source) {
        self.a = a
        self.b = b
    }

    private var dimensions: [String] { a.dimensions.filter(b.dimensions.contains) }
    private var counts: [String] { a.counts.filter(b.counts.contains) }

    /// The first column whose sums differ, with the places where they do.
    func fault(in database: Database) throws -> DoctorFault? {
        guard !counts.isEmpty, !dimensions.isEmpty else { return nil }
        let both = "\(a.sums(dimensions, counts, sign: "")) UNION ALL \(b.sums(dimensions, counts, sign: "-"))"
        let place = dimensions.map { "coalesce(\($0), '')" }.joined(separator: " || ' ' || ")
        let differences = counts.map { "sum(\($0)) <> 0" }.joined(separator: " OR ")
        let totals = counts.map { "sum(\($0)) AS \($0)" }.joined(separator: ", ")
        var found: (column: String, first: String)?
        var places = 0
        try database.forEach(
            """
            SELECT \(place) AS place, \(totals) FROM (\(both)) GROUP BY \(dimensions.joined(separator: ", ")) \
            HAVING \(differences)
            """
        ) { row in
            places += 1
            guard found == nil else { return }
            let column = try counts.enumerated().first { try row.read($0.offset + 1) as Double != 0 }
            found = (column?.element ?? "", try row.read(0) ?? "")
        }
        guard let found else { return nil }
        return .sumsDiffer(tables: [a.name, b.name], column: found.column, places: places, first: found.first)
    }
}

extension SumComparison {
    /// All comparisons within a push.db.
    static var all: [SumComparison] {
        let figures = OutputSchema.daily.map { Source($0) }
        var all = figures.indices.flatMap { first in
            figures.indices.filter { $0 > first }.map { SumComparison(figures[first], figures[$0]) }
        }
        all.append(
            SumComparison(
                Source("daily_paths", paths, ["day", "platform"], pathCounts), Source(OutputSchema.dailyTotals)))
        all.append(SumComparison(Source(OutputSchema.days), Source(OutputSchema.dailyTotals)))
        let results = Source(OutputSchema.deliveryResults)
        let platforms = Source(OutputSchema.deliveryPlatforms)
        let funnel = Source(OutputSchema.dailyFunnel)
        all.append(SumComparison(results, funnel))
        all.append(SumComparison(platforms, funnel))
        all.append(
            SumComparison(
                Source("deliveries", named(OutputSchema.deliveries), ["delivery_id"], ["rows"]),
                Source("delivery_results", named(OutputSchema.deliveryResults), ["delivery_id"], ["rows"])))
        for table in [OutputSchema.deliveries, OutputSchema.deliveryResults] {
            all.append(
                SumComparison(
                    Source(table.name, firstAndLast(table), ["delivery_id"], ["first", "last"]),
                    Source("daily_actions", firstAndLastActions, ["delivery_id"], ["first", "last"])))
        }
        all += loads
        return all
    }

    private static let pathCounts = [
        "arrived", "impressed", "clicked", "opened", "dismissed", "opened_without_click", "opened_without_impression",
        "opened_impressed", "arrived_unseen",
    ]

    /// The funnel's counts that follow from daily_paths.
    private static let paths = """
        (SELECT day, platform, messages * has_arrival AS arrived, messages * has_impression AS impressed, \
        messages * has_click AS clicked, messages * has_open AS opened, \
        messages * (has_click AND NOT has_open) AS dismissed, \
        messages * (has_open AND NOT has_click) AS opened_without_click, \
        messages * (has_open AND NOT has_impression) AS opened_without_impression, \
        messages * (has_open AND has_impression) AS opened_impressed, \
        messages * (has_arrival AND NOT (has_impression OR has_click OR has_open)) AS arrived_unseen FROM daily_paths)
        """

    private static func named(_ table: Partitions.Table) -> String {
        "(SELECT delivery_id, 1 AS rows FROM \(table.name))"
    }

    private static func firstAndLast(_ table: Partitions.Table) -> String {
        "(SELECT delivery_id, julianday(first_day) AS first, julianday(last_day) AS last FROM \(table.name))"
    }

    private static let firstAndLastActions = """
        (SELECT delivery_id, julianday(min(day)) AS first, julianday(max(day)) AS last FROM daily_actions \
        GROUP BY delivery_id)
        """

    /// The tables about loads.
    private static var loads: [SumComparison] {
        let counts = ["records", "accepted", "filtered", "rejected"]
        let partitions = Source("partitions", "partitions", ["log_date"], counts + ["files"])
        let files = Source("files", "(SELECT *, 1 AS files FROM files)", ["log_date"], counts + ["files"])
        let outcomes = """
            (SELECT log_date, source, records, records * (outcome = 'accepted') AS accepted, \
            records * (outcome = 'filtered') AS filtered, records * (outcome = 'rejected') AS rejected FROM outcomes)
            """
        return [
            SumComparison(partitions, files),
            SumComparison(
                Source("outcomes", outcomes, ["log_date", "source"], counts),
                Source("files", "files", ["log_date", "source"], counts)),
            SumComparison(
                Source(
                    "daily_lateness", "(SELECT log_date, events + duplicates AS accepted FROM daily_lateness)",
                    ["log_date"], ["accepted"]), partitions),
        ]
    }
}
