import Foundation
import Posix
import SQLite
import Warehouse

/// Writes what Datasette needs to show push.db: `metadata.json`, with titles, the descriptions and units of all columns,
/// the usual questions as queries, and a dashboard.
package struct DatasetteExport: Sendable {
    /// The packages of PyPI that show it.
    package static let packages = ["datasette", "datasette-dashboards", "datasette-vega"]

    /// Tables about single files and commands. Datasette lists them behind the others.
    private static let hidden: Set = ["files", "runs", "loads", "publication", "columns_help"]

    private let folder: String
    private let questions: [Question]

    /// - Parameter folder: created if it does not exist.
    package init(to folder: String, _ questions: [Question]) {
        self.folder = folder
        self.questions = questions
    }

    package var path: String { "\(folder)/metadata.json" }

    /// - Throws: `ExportError` or `WarehouseError`.
    package func write(_ output: OutputDatabase) throws -> [ExportedFile] {
        let document = try output.export { try metadata(CheckedReader($0, path: output.path)).document }
        try ExportFolder.check(folder)
        try ExportFolder.check(path) { $0.starts(with: Array("{\n  \"title\": \"\(DatasetteExport.title)\"".utf8)) }
        let isWritten = try reportingCalls { () throws(SystemError) in
            try Folder.create(folder)
            let file = try RewrittenFile(path)
            try file.append(Array(document.utf8))
            return try file.finish()
        }
        return [
            ExportedFile(path: path, table: nil, month: nil, rows: nil, state: isWritten ? .written : .unchanged)
        ]
    }

    private static let title = "Push messages"

    private func metadata(_ reader: CheckedReader) throws -> JSONValue {
        let dashboard = DatasetteDashboard()
        return [
            "title": .text(DatasetteExport.title),
            // The first page shows the figures themselves.
            "description_html": .text(
                """
                <p>Exact daily figures from push tracking logs. <a href="-/dashboards/\(DatasetteDashboard.name)">The \
                dashboard</a> has them as charts, <a href="\(DatasetteDashboard.database)">the database</a> has the usual \
                questions as queries, and all tables.</p><iframe src="-/dashboards/\(DatasetteDashboard.name)/embed" \
                title="\(DatasetteDashboard.title)" style="width: 100%; height: 1900px; border: 0"></iframe>
                """),
            "databases": [
                DatasetteDashboard.database: [
                    "description": "Daily figures. Counts may be summed; rates may not: divide sums.",
                    "queries": queries,
                    "tables": .object(try tables(reader)),
                ]
            ],
            "plugins": ["datasette-dashboards": [DatasetteDashboard.name: dashboard.definition]],
        ]
    }

    private var queries: JSONValue {
        .object(
            questions.map { question in
                var query: [(key: String, value: JSONValue)] = [("title", .text(question.title))]
                if !question.explanation.isEmpty {
                    query.append(("description", .text(question.explanation.replacing("`", with: ""))))
                }
                query += [
                    ("sql", .text(question.sql(\.orUsual))), ("hide_sql", true),
                    ("params", .array(question.parameters.map { .text($0.rawValue) })),
                ]
                return (question.name, .object(query))
            })
    }

    /// The tables in the order of the schema, with the columns as `columns_help` explains them.
    private func tables(_ reader: CheckedReader) throws -> [(key: String, value: JSONValue)] {
        let help = try ColumnHelp.all(reader)
        return OutputSchema.tables.map { table in
            var facts: [(key: String, value: JSONValue)] = []
            if DatasetteExport.hidden.contains(table.name) { facts.append(("hidden", true)) }
            if table.columns.first?.name == "day" { facts.append(("sort_desc", "day")) }
            // Not as `units`: Datasette takes only units of physics there.
            facts.append(
                ("columns", .object(help[table.name, default: []].map { ($0.name, .text($0.text)) })))
            return (table.name, .object(facts))
        }
    }
}
