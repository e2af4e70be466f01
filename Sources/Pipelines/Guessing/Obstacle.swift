import LogFiles
import Records

/// Why nothing can be made of a file that has no hits, or whose hits no layout reads.
package enum Obstacle: Sendable {
    /// Its hits are in a list in JSON objects.
    case hitsInList(String)
    /// It is one JSON document of many lines.
    case document
    /// This list is empty in all lines.
    case emptyList(String)
    /// Its `#Fields:` lack these columns, which a hit needs.
    case noColumns([String])
    /// Its name ends like that of a file of this kind, and it is one of another kind.
    case misnamed(kind: String, content: String)
    /// It is no text.
    case binary

    init?(of path: String, _ lines: SampleLines, _ packing: Packing) {
        let json = lines.ranges.indices.filter { lines.bytes[lines.ranges[$0]].first == UInt8(ascii: "{") }
        if let list = lines.fieldsOfHits.listOfHits {
            self = .hitsInList(list)
        } else if Obstacle.isDocument(lines) {
            self = .document
        } else if json.count * 2 > lines.count, let list = lines.fields(of: json).emptyList {
            self = .emptyList(list)
        } else if let fields = lines.ranges.first(where: { lines.bytes[$0].starts(with: "#Fields:".utf8) }) {
            let missing = Layout.missingColumns(lines.bytes.span.extracting(fields))
            guard !missing.isEmpty else { return nil }
            self = .noColumns(missing)
        } else if packing == .plain, RecordFormat.allCases.allSatisfy({ lines.lines(of: $0).isEmpty }) {
            self.init(ofTextAt: path, lines.bytes)
        } else {
            return nil
        }
    }

    /// Whether a JSON object or array goes on after the first line, or an array is all there is.
    private static func isDocument(_ lines: SampleLines) -> Bool {
        guard let first = lines.ranges.first(where: { !$0.isEmpty }) else { return false }
        let line = lines.bytes[first]
        if line.first == UInt8(ascii: "[") {
            return lines.bytes[first.lowerBound...].first { $0 > 0x20 && $0 != UInt8(ascii: "[") } == UInt8(ascii: "{")
        }
        return line.first == UInt8(ascii: "{") && line.dropFirst().allSatisfy { $0 <= 0x20 }
    }

    private init?(ofTextAt path: String, _ bytes: [UInt8]) {
        let suffix = path.split(separator: ".").last?.lowercased() ?? ""
        let kinds = ["gz": "gzip", "gzip": "gzip", "zst": "zstd", "json": "JSON", "jsonl": "JSON", "ndjson": "JSON"]
        let start = bytes.prefix(4096)
        let controls = start.count { $0 < 0x20 && ![0x09, 0x0A, 0x0D, 0x1B].contains($0) }
        let first = start.first { $0 > 0x20 }
        let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        let isBinary = controls * 20 > start.count
        let content = isBinary ? "binary data" : first == UInt8(ascii: "<") ? "HTML or XML" : "plain text"
        if let kind = kinds[suffix], kind != "JSON" || !isJSON {
            self = .misnamed(kind: kind, content: content)
        } else if isBinary {
            self = .binary
        } else {
            return nil
        }
    }
}
