import Foundation
import Reference

/// The figures that an ETL must arrive at: what the reference, which is plain and slow, makes of the files.
struct Truth {
    let publication: Publication

    init(plan: Plan, folder: String, deliveries: String) throws {
        var pipeline = plan.pipeline
        for index in pipeline.sources.indices { pipeline.sources[index].isRequired = false }
        let partitions = try plan.dates.map { date in
            let files = try plan.allFiles.filter { $0.date == date }.map { file in
                InputFile(
                    source: file.kind.traits.source, path: file.path,
                    bytes: Bytes(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(file.path)"))))
            }
            return Partition(logDate: date, files: files, pipeline: pipeline)
        }
        let list = DeliveryFile(path: "deliveries/campaigns/list.csv", bytes: Bytes(deliveries))
        publication = Publication(
            partitions: partitions, pipeline: pipeline, deliveries: namedDeliveries(pipeline, [list]) ?? [:])
    }

    /// Writes the tables as CSV files, the columns those of the output DB without `day_start`, `day_epoch` and
    /// `pipeline`, the rows in any order.
    func write(to folder: String) throws {
        for table in publication.tables where !["calendar", "about", "files"].contains(table.name) {
            let columns = table.columns.indices.filter { !["day_start", "day_epoch"].contains(table.columns[$0]) }
            let rows = table.rows.map { row in columns.map { csvField(row[$0]) } }
            let text = ([columns.map { table.columns[$0] }] + rows).map(TextFile.csvLine).joined()
            try TextFile.write(text, to: "\(folder)/\(table.name).csv")
        }
    }

    private func csvField(_ cell: Cell) -> String {
        switch cell {
        case .null: ""
        case .integer(let number): String(number)
        // With 15 digits, as sqlite3 prints them.
        case .real(let number): String(Double(String(format: "%.15g", number)) ?? number)
        case .text(let bytes): bytes.text
        }
    }
}
