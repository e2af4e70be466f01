import LogFiles
import Records

/// Why nothing can be made of a file that has no hits, or whose hits no layout reads.
package enum Obstacle: Sendable {
    /// Its lines are in a list in JSON objects, at this path of the list's elements.
    case linesInList(list: String, lines: String)
    /// This list is empty in all lines.
    case emptyList(String)
    /// Its `#Fields:` lack these columns, which a hit needs.
    case noColumns([String])
    /// Its name ends like that of a file of this kind, and it is one of another kind.
    case misnamed(kind: String, content: String)
    /// It is no text.
    case binary

    /// - Parameter lines: without those that were taken out of JSON objects.
    init?(of path: String, _ lines: SampleLines, _ packing: Packing) {
        let hits = lines.fieldsOfHits
        if let list = hits.listOfLines {
            self = .linesInList(list: list.list, lines: list.lines)
            return
        }
        let json = lines.ranges.indices.filter { lines.bytes[lines.ranges[$0]].first == UInt8(ascii: "{") }
        let fields = lines.ranges.first { lines.bytes[$0].starts(with: "#Fields:".utf8) }
        if json.count * 2 > lines.count, let list = lines.fields(of: json).emptyList {
            self = .emptyList(list)
        } else if let fields {
            let missing = Layout.missingColumns(lines.bytes.span.extracting(fields))
            guard !missing.isEmpty else { return nil }
            self = .noColumns(missing)
        } else if packing == .plain, RecordFormat.allCases.allSatisfy({ lines.lines(of: $0).isEmpty }) {
            self.init(ofTextAt: path, lines.bytes)
        } else {
            return nil
        }
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
