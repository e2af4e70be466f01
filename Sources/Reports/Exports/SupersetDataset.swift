import Partitions
import SQLite

/// A dataset of the bundle for Superset: a table of push.db, or a usual question.
struct SupersetDataset {
    let name: String
    let description: String
    /// The query of a question, or of a table with columns added; nil for a table as it is.
    let sql: String?
    /// Whether it answers a question.
    let isAnswer: Bool
    /// The column that Superset filters by time; nil if it has none.
    let timeColumn: String?
    let columnNames: [String]
    private let columns: [JSONText]
    private let metrics: [JSONText]

    var id: String { SupersetName(kind: "dataset", name: name).id }

    /// A table. `help` explains its columns.
    init(_ table: Partitions.Table, _ help: [ColumnHelp]) {
        let texts = Dictionary(help.map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first })
        name = table.name
        description = "Table \(table.name) of push.db."
        let added = SupersetColumn.added(to: table)
        sql = SupersetColumn.query(of: table, with: added)
        isAnswer = false
        let names = table.columns.map(\.name) + added.map(\.name)
        let time = ["day_start", "delivery_day", "log_date", "started_at", "published_at"].first(where: names.contains)
        timeColumn = time
        columnNames = names
        let templates = Templates.superset
        columns =
            table.columns.map { column in
                templates.fill(
                    "column",
                    [
                        "name": .text(column.name), "type": .text(column.type.rawValue),
                        "description": .text(texts[column.name] ?? column.help),
                        "isTime": .plain(String(column.type == .dateTime || column.name == time)),
                        "isGroup": .plain(String([.dimension, .time].contains(column.kind) || column.type == .text)),
                        // Superset compares times as texts. Those of a DATE have no time of day.
                        "format": .text(column.type == .date ? "%Y-%m-%d" : nil),
                    ])
            } + added.map { $0.definition }
        // daily_totals has the columns of the funnel's rates too.
        let all = table.columns + (table.name == "daily_totals" ? OutputSchema.dailyFunnel.columns : [])
        let sums = table.columns.filter { $0.kind == .additive }
        metrics = (sums + all.filter { $0.kind == .rate }).map { column in
            templates.fill(
                column.kind == .rate ? "rate" : "sum",
                [
                    "column": .plain(column.name), "title": .text(column.name.replacing("_", with: " ")),
                    "description": .text(texts[column.name] ?? column.help), "formula": .text(column.formula),
                    "part": .plain(column.quotient?.part ?? ""), "whole": .plain(column.quotient?.whole ?? ""),
                ])
        }
    }

    /// A usual question. Its columns are those that its query gives.
    init(_ question: Question, in database: Database) throws {
        let query = question.sql(\.usual)
        let statement = try database.prepare(query)
        let row = try statement.next() ? statement.values : nil
        name = question.title
        description = question.explanation
        sql = query
        isAnswer = true
        timeColumn = nil
        columnNames = statement.columnNames
        columns = columnNames.enumerated().map { index, name in
            let type: String? =
                switch row?[index] {
                case .int64: "INTEGER"
                case .double: "REAL"
                case .string: "TEXT"
                default: nil
                }
            return Templates.superset.fill("answerColumn", ["name": .text(name), "type": .text(type)])
        }
        metrics = []
    }

    var definition: JSONText {
        Templates.superset.fill(
            "dataset",
            [
                "name": .text(name), "time": .text(timeColumn), "description": .text(description), "sql": .text(sql),
                "id": .plain(id), "metrics": .list(metrics), "columns": .list(columns),
                "database": .plain(SupersetName.database.id),
            ])
    }
}
