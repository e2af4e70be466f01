import Counting
import Partitions
import SQLite

/// Two daily tables that have the same sums wherever they share columns.
package struct TableSums: Sendable {
    /// What is added up.
    package enum Rows {
        /// The rows of some days; SQL that selects the days.
        case days(String)
        /// What has changed in tables that agreed before: the rows that came, less those that were there.
        case changed
    }

    private let first: Table
    private let second: Table
    private let key: [String]
    /// By its name, what is added up in each table.
    private let columns: [(name: String, first: String, second: String)]

    var tables: [String] { [first.name, second.name] }

    private init(_ tables: [Table], by key: [String], _ columns: [String], of second: [String]? = nil) {
        assert(tables.count == 2 && second.map { $0.count == columns.count } ?? true)
        (self.first, self.second, self.key) = (tables[0], tables[1], key)
        self.columns = zip(columns, second ?? columns).map { ($0, $0, $1) }
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
    func difference(of rows: Rows, in database: Database) throws -> String? {
        func sums(_ table: Table, _ values: [String], sign: String) -> String {
            let (from, factor) =
                switch rows {
                // The days come first, so that the table's key is used.
                case .days: ("days_checked CROSS JOIN main.\(table.name) USING (day)", "")
                case .changed:
                    (
                        "(SELECT *, 1 AS factor FROM temp.came_\(table.name) "
                            + "UNION ALL SELECT *, -1 FROM temp.former_\(table.name))", "factor * "
                    )
                }
            let sums = zip(columns, values).map { "\(sign)sum(\(factor)\($1)) AS \($0.name)" }
            return "SELECT \((key + sums).joined(separator: ", ")) FROM \(from) GROUP BY \(key.joined(separator: ", "))"
        }
        let both = [
            sums(first, columns.map(\.first), sign: ""), sums(second, columns.map(\.second), sign: "-"),
        ]
        let differs = columns.map { "sum(\($0.name)) <> 0" }.joined(separator: " OR ")
        let days = if case .days(let days) = rows { "WITH days_checked AS (\(days)) " } else { "" }
        return try database.value(
            "\(days)SELECT day FROM (\(both.joined(separator: " UNION ALL "))) "
                + "GROUP BY \(key.joined(separator: ", ")) HAVING \(differs) LIMIT 1")
    }
}
