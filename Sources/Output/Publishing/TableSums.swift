import Counting
import Partitions
import SQLite

/// A pair of daily tables that must have the same sums in the columns that they share.
struct TableSums: Sendable {
    private let first: Table
    private let second: Table
    private let key: [String]
    /// For each shared column, its name and what is summed up in each table.
    private let columns: [(name: String, first: String, second: String)]

    var tables: [String] { [first.name, second.name] }

    private init(_ tables: [Table], by key: [String], columns: [String], of second: [String]? = nil) {
        assert(tables.count == 2 && second.map { $0.count == columns.count } ?? true)
        self.first = tables[0]
        self.second = tables[1]
        self.key = key
        self.columns = zip(columns, second ?? columns).map { ($0, $0, $1) }
    }

    private static let counts = ["events", "duplicates"]
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
                columns: counts),
            TableSums(
                [OutputSchema.dailyTotals, OutputSchema.dailyPaths], by: ["day", "platform"], columns: paths.map(\.key),
                of: paths.map(\.value)),
        ]
    }()

    /// The first touched day on which the sums differ; nil if all agree.
    func difference(in database: Database) throws -> String? {
        func sums(of table: Table, values: [String], sign: String) -> String {
            let sums = zip(columns, values).map { "\(sign)sum(\($1)) AS \($0.name)" }
            return
                "SELECT \((key + sums).joined(separator: ", ")) FROM temp.touched_days CROSS JOIN main.\(table.name) USING (day) "
                + "GROUP BY \(key.joined(separator: ", "))"
        }
        let both = [
            sums(of: first, values: columns.map(\.first), sign: ""),
            sums(of: second, values: columns.map(\.second), sign: "-"),
        ]
        let differs = columns.map { "sum(\($0.name)) <> 0" }.joined(separator: " OR ")
        return try database.value(
            "SELECT day FROM (\(both.joined(separator: " UNION ALL "))) "
                + "GROUP BY \(key.joined(separator: ", ")) HAVING \(differs) LIMIT 1")
    }
}
