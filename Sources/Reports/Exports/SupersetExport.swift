import Foundation
import Output
import Partitions
import Posix
import SQLite

/// Writes a bundle that `superset import-dashboards` takes: push.db as a database, its tables and the usual questions as
/// datasets, charts, and a dashboard. The same push.db gives the same bytes. Ids depend on names alone, so that a second
/// import finds what the first one made.
package struct SupersetExport: Sendable {
    /// The name of the bundle's folder inside the zip file.
    private static let root = "push"

    /// The zip file.
    package let path: String

    /// - Parameter place: a name that ends in `.zip`, or the folder of `push-superset.zip`, which is created if it does not exist.
    package init(to place: String) {
        path = place.hasSuffix(".zip") ? place : "\(place)/push-superset.zip"
    }

    /// - Throws: `ExportError` or `WarehouseError`.
    package func write(_ output: OutputDatabase) throws -> [ExportedFile] {
        let zip = try output.export { try bundle($0, output.path) }
        return [
            try ExportFolder.write(zip, to: path) {
                StoredZip.begins($0, with: "\(SupersetExport.root)/metadata.yaml")
            }
        ]
    }

    private func bundle(_ database: Database, _ location: String) throws -> [UInt8] {
        let help = try ColumnHelp.all(database)
        let tables = OutputSchema.tables.filter { !["publication", "columns_help", "about"].contains($0.name) }
            .map { SupersetDataset($0, help[$0.name] ?? []) }
        let answers = try Question.all.map { try SupersetDataset($0, in: database) }
        let dashboard = try SupersetDashboard(answers)
        var zip = StoredZip()
        func add(_ name: String, _ content: JSONText) {
            zip.add("\(SupersetExport.root)/\(name).yaml", Array(content.document.utf8))
        }
        let place = location.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? location
        add("metadata", Templates.superset.fill("metadata"))
        add(
            "databases/push",
            Templates.superset.fill(
                "database",
                [
                    "uri": .text("sqlite:///file:\(place)?mode=ro&uri=true"),
                    "id": .plain(SupersetName.database.id),
                ]))
        for dataset in tables + answers {
            add("datasets/push/\(Question.name(dataset.name))", dataset.definition)
        }
        for chart in dashboard.charts {
            for dataset in tables + answers where dataset.name == chart.dataset {
                add("charts/\(Question.name(chart.title))", chart.definition(dataset))
            }
        }
        add("dashboards/push", dashboard.definition)
        zip.finish()
        return zip.bytes
    }
}
