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
            let rows = table.rows.map { row in columns.map { row[$0].plain } }
            let text = ([columns.map { table.columns[$0] }] + rows).map(TextFile.csvLine).joined()
            try TextFile.write(text, to: "\(folder)/\(table.name).csv")
        }
    }
}

/// A small file beside the logs.
enum TextFile {
    /// Writes it, with the folders above it.
    static func write(_ text: String, to path: String) throws {
        let files = FileManager.default
        // Without the folder, the file cannot be made either.
        try? files.createDirectory(
            at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        guard files.createFile(atPath: path, contents: Data(text.utf8)) else { throw LoggenError(path: path) }
    }

    /// A line of CSV as RFC 4180 has it.
    static func csvLine(_ fields: [String]) -> String {
        let quoted = fields.map { field in
            field.utf8.contains { "\",\n\r".utf8.contains($0) } ? "\"\(field.replacing("\"", with: "\"\""))\"" : field
        }
        return quoted.joined(separator: ",") + "\n"
    }
}

/// What can go wrong besides wrong arguments: a file cannot be written.
struct LoggenError: Error, CustomStringConvertible {
    let path: String

    var description: String { "\(path): cannot be written" }
}
