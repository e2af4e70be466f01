import SQLite
import Warehouse

/// A dataset of the bundle for Superset: a table of push.db, or a usual question.
struct SupersetDataset {
    static let databaseID = SupersetName(kind: "database", name: "push").id

    let name: String
    let description: String
    /// The query of a question; nil for a table.
    let sql: String?
    /// The column that Superset filters by time; nil if it has none.
    let timeColumn: String?
    fileprivate let columns: [Column]
    fileprivate let metrics: [Metric]

    var id: String { SupersetName(kind: "dataset", name: name).id }
    var columnNames: [String] { columns.map(\.name) }

    fileprivate struct Column {
        let name: String
        let type: String?
        let description: String
        let isTime: Bool
        let isGroup: Bool
    }

    fileprivate struct Metric {
        let name: String
        let title: String
        let expression: String
        let description: String
        let format: String
    }

    /// The metric that adds up a column.
    static func sum(_ column: String) -> String { "sum_\(column)" }

    /// The metric that divides sums as a rate's formula does.
    static func rate(_ column: String) -> String { "total_\(column)" }

    var definition: JSONValue {
        [
            "table_name": .text(name), "main_dttm_col": timeColumn.map { .text($0) } ?? nil,
            "description": .text(description), "schema": nil, "sql": sql.map { .text($0) } ?? nil,
            "filter_select_enabled": true, "uuid": .text(id),
            "metrics": .array(metrics.map(\.definition)), "columns": .array(columns.map(\.definition)),
            "version": "1.0.0", "database_uuid": .text(SupersetDataset.databaseID),
        ]
    }
}

extension SupersetDataset.Column {
    fileprivate var definition: JSONValue {
        [
            "column_name": .text(name), "is_dttm": .bool(isTime), "is_active": true,
            "type": type.map { .text($0) } ?? nil, "groupby": .bool(isGroup), "filterable": true,
            "description": .text(description),
            // Superset compares times as texts. Those of a DATE have no time of day.
            "python_date_format": type == "DATE" ? "%Y-%m-%d" : nil,
        ]
    }
}

extension SupersetDataset.Metric {
    fileprivate var definition: JSONValue {
        [
            "metric_name": .text(name), "verbose_name": .text(title), "metric_type": nil,
            "expression": .text(expression), "description": .text(description), "d3format": .text(format),
        ]
    }
}

extension SupersetDataset {
    /// A table. `help` explains its columns.
    init(_ table: Warehouse.Table, _ help: [ColumnHelp]) {
        let texts = Dictionary(help.map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first })
        name = table.name
        description = "Table \(table.name) of push.db."
        sql = nil
        let names = table.columns.map(\.name)
        let time = ["day_start", "log_date", "started_at"].first(where: names.contains)
        timeColumn = time
        columns = table.columns.map { column in
            Column(
                name: column.name, type: column.type.rawValue, description: texts[column.name] ?? column.help,
                isTime: column.type == .dateTime || column.name == time,
                isGroup: [.dimension, .time].contains(column.kind) || column.type == .text)
        }
        let sums = table.columns.filter { $0.kind == .additive }.map { column in
            Metric(
                name: SupersetDataset.sum(column.name), title: column.name.replacing("_", with: " "),
                expression: "sum(\(column.name))", description: texts[column.name] ?? column.help, format: ",d")
        }
        // daily_totals has the columns of the funnel's rates too.
        let all = table.columns + (table.name == "daily_totals" ? OutputSchema.dailyFunnel.columns : [])
        let rates = all.filter { $0.kind == .rate }.compactMap { column -> Metric? in
            guard let formula = column.formula, let (part, whole) = column.quotient else { return nil }
            return Metric(
                name: SupersetDataset.rate(column.name), title: column.name.replacing("_", with: " "),
                expression: formula, description: "\(part) / \(whole), of the sums.",
                format: ".1%")
        }
        metrics = sums + rates
    }

    /// A usual question. Its columns are those that its query gives.
    init(_ question: Question, in database: Database) throws {
        let query = question.sql(\.usual)
        let statement = try Statement(query, in: database)
        let row = try statement.next() ? statement.values : nil
        name = question.title
        description = question.explanation.replacing("`", with: "")
        sql = query
        timeColumn = nil
        columns = statement.columnNames.enumerated().map { index, name in
            let type: String? =
                switch row?[index] {
                case .int64: "INTEGER"
                case .double: "REAL"
                case .string: "TEXT"
                default: nil
                }
            return Column(name: name, type: type, description: "", isTime: false, isGroup: true)
        }
        metrics = []
    }
}
