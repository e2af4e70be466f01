import Counting
import SQLite

/// Two daily tables that have the same sums wherever they share columns.
struct TableSums: Sendable {
    let tables: [String]
    /// Selections from both tables.
    private let sums: [String]
    private let columns: [String]
    private let key: [String]

    private init(_ tables: [Table], by key: [String], _ columns: [String], of second: [String]? = nil) {
        self.tables = tables.map(\.name)
        (self.key, self.columns) = (key, columns)
        func selection(_ table: Table, _ values: [String], sign: String) -> String {
            let values = zip(columns, values).map { "\(sign)sum(\($1)) AS \($0)" }
            // The days come first, so that the table's key is used.
            return "SELECT \((key + values).joined(separator: ", ")) FROM days_checked CROSS JOIN main.\(table.name) "
                + "USING (day) GROUP BY \(key.joined(separator: ", "))"
        }
        sums = [
            selection(tables[0], columns, sign: ""),
            selection(tables[1], second ?? columns, sign: "-"),
        ]
    }

    private static let counts = ["events", "duplicates"]
    private static let funnel = FunnelColumn.allCases.map(\.name)
    /// The columns of daily_totals that follow from the stages in daily_paths.
    private static let ofPaths = [
        "messages": "messages", "arrived": "messages * has_arrival", "impressed": "messages * has_impression",
        "clicked": "messages * has_click", "opened": "messages * has_open",
        "dismissed": "messages * (has_click AND NOT has_open)",
        "opened_without_click": "messages * (has_open AND NOT has_click)",
        "opened_without_impression": "messages * (has_open AND NOT has_impression)",
        "opened_impressed": "messages * (has_open AND has_impression)",
        "arrived_unseen": "messages * (has_arrival AND NOT (has_impression OR has_click OR has_open))",
    ]

    static let all: [TableSums] = {
        let paths = ofPaths.sorted { $0.key < $1.key }
        return [
            TableSums(
                [OutputSchema.dailyActions, OutputSchema.hourlyActions], by: ["day", "source", "platform", "action"],
                counts),
            // If daily_actions agrees with the hours, the others are compared with these, which are fewer rows.
            TableSums([OutputSchema.hourlyActions, OutputSchema.dailyLateness], by: ["day", "source"], counts),
            TableSums([OutputSchema.hourlyActions, OutputSchema.dailyTotals], by: ["day", "platform"], counts),
            TableSums([OutputSchema.dailyFunnel, OutputSchema.dailyTotals], by: ["day", "platform"], funnel),
            TableSums(
                [OutputSchema.dailyTotals, OutputSchema.dailyPaths], by: ["day", "platform"], paths.map(\.key),
                of: paths.map(\.value)),
        ]
    }()

    /// The first day on which they differ; nil if they agree.
    /// - Parameter days: SQL that selects the days.
    func difference(of days: String, in database: Database) throws -> String? {
        let differences = columns.map { "sum(\($0)) <> 0" }.joined(separator: " OR ")
        return try String.fetchOne(
            database,
            sql: "WITH days_checked AS (\(days)) SELECT day FROM (\(sums.joined(separator: " UNION ALL "))) "
                + "GROUP BY \(key.joined(separator: ", ")) HAVING \(differences) LIMIT 1")
    }
}
