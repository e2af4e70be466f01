import Reference

/// The figures that an ETL must arrive at: what the reference, which is plain and slow, makes of the records as they were
/// meant. It reads the delivery file as well.
struct Truth {
    let publication: Publication

    init(plan: Plan, files: [FileTruth], deliveries: String = "") {
        var pipeline = Pipeline()
        pipeline.timeZone = plan.zone.name
        pipeline.windowDays = plan.windowDays
        pipeline.sources = plan.kinds.map { kind in
            var source = Pipeline.Source(name: kind.source, format: .collector, files: "")
            source.isRequired = false
            return source
        }
        pipeline.deliveries = [DeliveryEntry(name: "list")]
        let partitions = plan.dates.map { date in
            Partition(
                logDate: Day(number: date.dayNumber),
                files: files.filter { $0.file.date == date }.map {
                    Partition.File(
                        source: $0.file.kind.source, path: $0.file.path, bytes: $0.packedBytes, status: .ok,
                        records: $0.records)
                },
                pipeline: pipeline)
        }
        let list = DeliveryFile(path: "deliveries/list/campaigns.csv", bytes: Bytes(deliveries))
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
        case .real(let number): String(number)
        case .text(let bytes): bytes.text
        }
    }
}
