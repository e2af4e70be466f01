import Calendar
import LogFiles

extension PipelineFileReader {
    private static let mostEntries = 1000

    /// The entries of `deliveries`: a mapping, or a list of mappings.
    /// - Parameter zone: the pipeline's.
    mutating func deliveries(_ entry: Entry?, zone: ZoneRules) -> [DeliveryFiles] {
        guard let entry else { return [] }
        guard case .sequence(let list) = entry.value.content else {
            return deliveryFiles(entry.value, zone: zone).map { [$0] } ?? []
        }
        if list.isEmpty { note(.emptyValue(entry.key), at: entry.valueLocation) }
        if list.count > Self.mostEntries {
            note(.tooMany("entries of 'deliveries'", limit: Self.mostEntries), at: entry.valueLocation)
        }
        return list.prefix(Self.mostEntries).compactMap { deliveryFiles($0, zone: zone) }
    }

    private mutating func deliveryFiles(_ node: YAMLNode, zone: ZoneRules) -> DeliveryFiles? {
        let keys = ["files", "id", "timezone", "columns"]
        guard let keys = mapping(node, "'deliveries'", keys: keys) else { return nil }
        if keys["files"] == nil { note(.missingKey("files", owner: "'deliveries'"), at: keys.location) }
        let files = patterns(keys["files"], isDated: false)
        let idForm: DeliveryFiles.IDForm = word(keys["id"], "value of 'id'") ?? .text
        let zone = keys["timezone"] == nil ? zone : self.zone(keys["timezone"])
        let columns = columns(keys["columns"])
        guard let files, let zone else { return nil }
        return DeliveryFiles(files: FilePatterns(files.map(\.pattern)), idForm: idForm, zone: zone, columns: columns)
    }

    private mutating func columns(_ entry: Entry?) -> [DeliveryFiles.Column: String] {
        let all = DeliveryFiles.Column.allCases
        var names = Dictionary(uniqueKeysWithValues: all.map { ($0, $0.rawValue) })
        guard let entry, let keys = mapping(entry.value, "'columns'", keys: all.map(\.rawValue)) else { return names }
        for column in all {
            if let name = text(keys[column.rawValue]) { names[column] = name }
        }
        return names
    }
}
