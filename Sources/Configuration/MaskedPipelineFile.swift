import Calendar
import LogFiles
import Messages
import Records

/// A pipeline file in a form for strangers. Only pushetl's own words stay. For any other value, its kind is shown. So
/// nothing has to be recognised as private.
///
///     output: /home/ann/push                     output: <path>
///     sources:                                   sources:
///       - name: acme                             - name: <text>
///         format: collector                        format: collector
///         files: logs/acme/%Y-%m-%d.gz             files: <path with %Y %m %d>
///         actions: {acme_seen: impression}         actions:
///                                                    <key>: impression
package struct MaskedPipelineFile: Sendable {
    /// The lines of the masked file; empty if the file is not YAML.
    package private(set) var lines: [String] = []
    /// Nil if the file has errors.
    package private(set) var pipeline: Pipeline?
    package private(set) var errors: [Message] = []
    package private(set) var warnings: [Message] = []

    /// Reads a file as far as that is possible.
    package init(at path: String) {
        do throws(PipelineFileError) {
            let (text, folder) = try PipelineFile.content(of: path)
            if let root = try YAMLComposer(text.withoutByteOrderMark, file: path).root() {
                lines = Self.lines(of: root)
            }
            let pipeline = try PipelineFile.read(text, file: path, folder: folder)
            warnings = pipeline.warnings
            self.pipeline = pipeline
        } catch {
            errors = error.messages
            warnings = error.warnings
        }
    }

    /// The most lines and the deepest nesting that are shown. No pipeline needs more, but a file may contain anything.
    private static let (mostLines, mostDepth) = (400, 12)

    private static func lines(of root: YAMLNode) -> [String] {
        var masking = Masking()
        masking.add(root, key: "", begin: nil, indent: 0)
        return masking.lines.count < mostLines ? masking.lines : masking.lines.prefix(mostLines) + ["…"]
    }

    private struct Masking {
        var lines: [String] = []

        /// The beginning of a node's first line: `- `, or a key.
        typealias Begin = (indent: Int, text: String)

        /// - Parameters:
        ///   - key: the key whose value the node is, or whose list the node is an element of.
        ///   - begin: nil for the root.
        ///   - indent: the indentation of further lines.
        mutating func add(_ node: YAMLNode, key: String, begin: Begin?, indent: Int) {
            guard lines.count < mostLines else { return }
            guard indent < mostDepth else { return write(begin, "…") }
            switch node.content {
            case .scalar: write(begin, MaskedPipelineFile.value(node, key: key))
            case .list(let nodes):
                if begin != nil { write(begin, nodes.isEmpty ? "[]" : "") }
                for node in nodes { add(node, key: key, begin: (indent, "- "), indent: indent + 1) }
            case .mapping(let pairs):
                // The first key of a list element stands on the line of its dash.
                let dash = pairs.isEmpty ? nil : begin.flatMap { $0.text == "- " ? $0 : nil }
                if begin != nil, dash == nil { write(begin, pairs.isEmpty ? "{}" : "") }
                for (index, (name, value)) in pairs.enumerated() {
                    let word = name.plainText
                    let key = MaskedPipelineFile.words.contains(word) ? word : "<key>"
                    let begin: Begin =
                        if index == 0, let dash { (dash.indent, "- \(key): ") } else { (indent, "\(key): ") }
                    add(value, key: key, begin: begin, indent: indent + 1)
                }
            }
        }

        private mutating func write(_ begin: Begin?, _ text: String) {
            let line = String(repeating: "  ", count: begin?.indent ?? 0) + (begin?.text ?? "") + text
            lines.append(line.hasSuffix(" ") ? String(line.dropLast()) : line)
        }
    }
}

extension MaskedPipelineFile {
    /// The value, if it cannot be private, or else its kind.
    private static func value(_ node: YAMLNode, key: String) -> String {
        let text = node.plainText
        if words.contains(text) { return text }
        if node.has(.null) { return "<empty>" }
        switch key {
        case "files", "output":
            let placeholders = text.matches(of: /%[Yymdj]/).map { String($0.output) }
            return placeholders.isEmpty ? "<path>" : "<path with \(placeholders.joined(separator: " "))>"
        case "layout": return MaskedFormat(text).text.shown
        // A value that is no zone may be anything.
        case "timezone": return (try? ZoneDatabase.zone(text)) == nil ? "<text>" : text
        case "version", "window_days", "reject_ratio", "ids":
            return text.wholeMatch(of: /[0-9]{1,5}(\.[0-9]{1,6})?/) == nil ? "<text>" : text
        default: return node.mayBeNumber && node.has(.int) || node.has(.float) ? "<number>" : "<text>"
        }
    }

    /// Keys and values that pushetl gives a meaning.
    static let words: Set<String> = Set(
        PipelineFileReader.ownKeys + ["true", "false", "on", "off", "first"]
            + Layout.names + RecordFormat.allCases.map(\.rawValue) + Source.Dialect.allCases.map(\.rawValue)
            + PlatformWord.allCases.map(\.rawValue) + Pipeline.DamagedFiles.allCases.map(\.rawValue)
            + Check.Severity.allCases.map(\.rawValue) + DeliveryFiles.IDForm.allCases.map(\.rawValue)
            + DeliveryFiles.Column.allCases.map(\.rawValue) + FieldPaths.Field.allCases.map(\.rawValue)
            + JSONFields.Field.allCases.map(\.name) + Source.Dialect.allCases.flatMap(\.actions.values)
            + ["arrival", "sent", "failed", "push"] + RecordFormat.allCases.map(\.defaultPath).filter { !$0.isEmpty }
            + [FieldPaths.mzip, .usersTrack].flatMap { fields in
                FieldPaths.Field.allCases.flatMap { fields[$0].paths }.map(PathText.text)
            })
}

extension PipelineFileReader {
    /// The keys of all mappings in a pipeline file.
    static let ownKeys =
        topKeys + sourceKeys + deliveriesKeys + checkKeys + ["window_days", "reject_ratio", "damaged_files", "ids"]
}
