import Events
import Output
import Partitions
import Reference

/// What the reference makes of some loads.
struct ExpectedTables {
    private let publication: Reference.Publication

    init(_ loads: [Load], window: Int, zone: String, sources: [String]) {
        var pipeline = Pipeline()
        pipeline.timeZone = zone
        pipeline.windowDays = window
        pipeline.sources = sources.map { Pipeline.Source(name: $0, format: .collector, files: "") }
        publication = Reference.Publication(
            partitions: loads.map { load in
                let logDate = Day(number: load.logDate.dayNumber)
                return Reference.Partition(
                    logDate: logDate,
                    events: load.hits.map { hit in
                        PartitionEvent(hit: Reference.Hit(hit), records: hit.records, logDate: logDate)
                    })
            }, pipeline: pipeline)
    }

    /// The tables of figures, by name.
    var tables: [String: [String]] {
        let tables = publication.tables.filter { !["partitions", "files", "outcomes"].contains($0.name) }
        return Dictionary(uniqueKeysWithValues: tables.map { ($0.name, rows($0)) })
    }

    /// The rows in the form of `Scene.rows`, ordered by their bytes.
    private func rows(_ table: OutputTable) -> [String] {
        sortedTexts(
            table.rows.map { row in
                row.map { cell in
                    if case .text(let bytes) = cell { return bytes.text }
                    return cell.description
                }.joined(separator: "|")
            })
    }
}

extension Reference.Hit {
    fileprivate init(_ hit: Hit) {
        self.init(
            idSpace: hit.idSpace, broadlogID: Bytes("\(hit.kind) \(hit.id)"), action: hit.action, time: Int(hit.time),
            source: hit.source, deliveryID: Bytes(hit.delivery), platform: hit.platform.name)
    }
}
