import Foundation
import Output
import Partitions
import Posix
import SQLite

/// Writes what Datasette needs to show push.db: `metadata.json`, with titles, the descriptions and units of all columns,
/// the usual questions as queries, and a dashboard.
package struct DatasetteExport: Sendable {
    /// The packages of PyPI that show it.
    package static let packages = ["datasette", "datasette-dashboards", "datasette-vega"]

    /// Tables about single files and commands. Datasette lists them after the others.
    private static let hidden: Set = ["files", "runs", "changes", "loads", "publication", "columns_help"]

    private let folder: String

    /// - Parameter folder: created if it does not exist.
    package init(to folder: String) {
        self.folder = folder
    }

    package var path: String { "\(folder)/metadata.json" }

    /// - Throws: `ExportError` or `WarehouseError`.
    package func write(_ output: OutputDatabase) throws -> [ExportedFile] {
        let document = try output.export { try metadata($0).document }
        return [
            try ExportFolder.write(Array(document.utf8), to: path) {
                $0.starts(with: Array("{\n  \"title\": \"Push messages\"".utf8))
            }
        ]
    }

    private func metadata(_ database: Database) throws -> JSONText {
        let days = "BETWEEN \(Question.Parameter.from.orUsual) AND \(Question.Parameter.to.orUsual)"
        return Templates.datasette.fill(
            "metadata", ["queries": queries, "tables": try tables(database), "days": .plain(days)])
    }

    private var queries: JSONText {
        .list(
            Question.all.map { question in
                let description = JSONText.text(question.explanation).json
                return Templates.datasette.fill(
                    "query",
                    [
                        "name": .text(question.name), "title": .text(question.title),
                        "description": .plain(
                            question.explanation.isEmpty ? "" : "\"description\": \(description)"),
                        "sql": .text(question.sql(\.orUsual)),
                        "parameters": .texts(question.parameters.map(\.rawValue)),
                    ])
            })
    }

    /// The tables in the order of the schema, with the columns as `columns_help` explains them.
    private func tables(_ database: Database) throws -> JSONText {
        let help = try ColumnHelp.all(database)
        return .list(
            OutputSchema.tables.map { table in
                let isHidden = DatasetteExport.hidden.contains(table.name)
                let hasDays = table.columns.first?.name == "day"
                return Templates.datasette.fill(
                    "table",
                    [
                        "name": .text(table.name), "hidden": .plain(isHidden ? "\"hidden\": true" : ""),
                        "order": .plain(hasDays ? "\"sort_desc\": \"day\"" : ""),
                        // Not as `units`: Datasette takes only units of physics there.
                        "columns": .list(
                            help[table.name, default: []].map {
                                .plain("\(JSONText.text($0.name).json): \(JSONText.text($0.text).json)")
                            }),
                    ])
            })
    }
}
