import Calendar
import LogFiles
import Messages

extension PipelineFileReader {
    private static let mostDeliveries = 1000

    /// The entries of `deliveries`: a mapping, or a list of mappings.
    /// - Parameter zone: the pipeline's.
    mutating func deliveries(_ entry: Entry?, zone: ZoneRules) -> [DeliveryFiles] {
        guard let entry else { return [] }
        guard case .list = entry.value.content, let nodes = list(entry) else {
            return deliveryFiles(entry.value, zone: zone).map { [$0] } ?? []
        }
        if nodes.count > Self.mostDeliveries {
            noteTooMany("entries of 'deliveries'", limit: Self.mostDeliveries, at: entry.value.place)
        }
        return nodes.prefix(Self.mostDeliveries).compactMap { deliveryFiles($0, zone: zone) }
    }

    private mutating func deliveryFiles(_ node: YAMLNode, zone: ZoneRules) -> DeliveryFiles? {
        guard let keys = mapping(node, "'deliveries'", keys: ["files", "id", "timezone", "columns"]) else { return nil }
        if keys["files"] == nil { noteMissing("files", in: "'deliveries'", at: keys.place) }
        let files = patterns(keys["files"]) { reader, pattern, place in
            let subject: MessageText = "'files' of 'deliveries' (\(pattern.text))"
            if pattern.hasDatePlaceholder {
                reader.fault(
                    "dated_deliveries",
                    subject + " has a date in it, but delivery files belong to no log date; write '*' in its place, "
                        + "and '%%' for a percent sign",
                    at: place)
            }
            if pattern.uriRoot != nil {
                reader.fault(
                    "deliveries_at_uri",
                    subject + " is at a URI, which cannot be read; give a path that the driver sees", at: place)
            }
        }
        let idForm: DeliveryFiles.IDForm = word(keys["id"]) ?? .text
        let zone = keys["timezone"] == nil ? zone : self.zone(keys["timezone"])
        let columns = columns(keys["columns"])
        guard let files, let zone else { return nil }
        return DeliveryFiles(files: files, idForm: idForm, zone: zone, columns: columns)
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
