import Foundation
import Posix
import SQLite
import Warehouse

/// Writes a bundle that `superset import-dashboards` takes: push.db as a database, its tables and the usual questions as
/// datasets, charts, and a dashboard. The same push.db gives the same bytes. Ids depend on names alone, so that a second
/// import finds what the first one made.
package struct SupersetExport: Sendable {
    /// The name of the bundle's folder inside the zip file.
    private static let root = "push"

    /// The zip file.
    package let path: String
    private let questions: [Question]

    /// - Parameter place: a name that ends in `.zip`, or the folder of `push-superset.zip`, which is created if it does not exist.
    package init(to place: String, _ questions: [Question]) {
        path = place.hasSuffix(".zip") ? place : "\(place)/push-superset.zip"
        self.questions = questions
    }

    /// - Throws: `ExportError` or `WarehouseError`.
    package func write(_ output: OutputDatabase) throws -> [ExportedFile] {
        let zip = try output.export { try bundle($0, output.path) }
        let folder = Folder.parent(of: path)
        try ExportFolder.check(folder)
        try ExportFolder.check(path) { StoredZip.begins($0, with: "\(SupersetExport.root)/metadata.yaml") }
        let isWritten = try reportingCalls { () throws(SystemError) in
            try Folder.create(folder)
            let file = try RewrittenFile(path)
            try file.append(zip)
            return try file.finish()
        }
        return [ExportedFile(path: path, table: nil, month: nil, rows: nil, state: isWritten ? .written : .unchanged)]
    }

    private func bundle(_ database: Database, _ location: String) throws -> [UInt8] {
        let help = try ColumnHelp.all(CheckedReader(database, path: location))
        let tables = OutputSchema.tables.filter { !["publication", "columns_help", "about"].contains($0.name) }
            .map { SupersetDataset($0, help[$0.name] ?? []) }
        let answers = try questions.map { try SupersetDataset($0, in: database) }
        let dashboard = SupersetDashboard({ name in tables.first { $0.name == name } ?? tables[0] }, answers)
        var zip = StoredZip()
        // JSON is YAML.
        func add(_ name: String, _ content: JSONValue) {
            zip.add("\(SupersetExport.root)/\(name).yaml", Array(content.document.utf8))
        }
        add("metadata", ["version": "1.0.0", "type": "Dashboard", "timestamp": "1980-01-01T00:00:00+00:00"])
        add("databases/push", databaseDefinition(location))
        for dataset in tables + answers {
            add("datasets/push/\(Question.name(dataset.name))", dataset.definition)
        }
        for chart in dashboard.charts { add("charts/\(Question.name(chart.title))", chart.definition) }
        add("dashboards/push", dashboard.definition)
        zip.finish()
        return zip.bytes
    }

    private func databaseDefinition(_ location: String) -> JSONValue {
        let path = location.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? location
        return [
            "database_name": "push", "sqlalchemy_uri": .text("sqlite:///file:\(path)?mode=ro&uri=true"),
            "cache_timeout": nil, "expose_in_sqllab": true, "allow_run_async": false, "allow_ctas": false,
            "allow_cvas": false, "allow_dml": false, "allow_file_upload": false,
            "extra": ["allows_virtual_table_explore": true], "uuid": .text(SupersetDataset.databaseID),
            "version": "1.0.0",
        ]
    }
}
