import CYaml
import Messages
import Yams

/// Makes nodes from libyaml's events. `Yams.compose` stops at a duplicate key, and could not tell the other faults of
/// the file. It also hashes whole keys, which takes for ever if aliases turn one node into a billion.
final class YAMLComposer {
    /// The most nodes of a file. Each use of an alias counts all its nodes.
    private static let mostNodes = 200_000

    // Both are on the heap, since libyaml stores their addresses.
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private let text: UnsafeMutableBufferPointer<UInt8>
    /// The path of the file, for messages.
    private let file: String
    private var anchors: [String: (node: YAMLNode, count: Int)] = [:]
    /// The nodes so far.
    private var count = 0

    init(_ text: String, file: String) {
        self.file = file
        self.text = .allocate(capacity: text.utf8.count)
        _ = self.text.initialize(from: text.utf8)
        parser.initialize(to: yaml_parser_t())
        yaml_parser_initialize(parser)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, self.text.baseAddress, self.text.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        text.deallocate()
    }

    /// The root of the only document; nil if the text has none.
    func root() throws(PipelineFileError) -> YAMLNode? {
        // The event of the stream's beginning.
        _ = try next()
        guard try next().type == YAML_DOCUMENT_START_EVENT else { return nil }
        let root = try node(next())
        // The end of the document.
        _ = try next()
        let rest = try next()
        guard rest.type == YAML_STREAM_END_EVENT else {
            throw notYAML("expected a single document in the stream, but found another document", at: rest.place)
        }
        return root
    }

    private func next() throws(PipelineFileError) -> Event {
        let event = Event()
        guard yaml_parser_parse(parser, &event.event) == 1 else { throw fault }
        return event
    }

    /// The next event; nil if it is the end of a list or mapping.
    private func next(before end: yaml_event_type_t) throws(PipelineFileError) -> Event? {
        let event = try next()
        return event.type == end ? nil : event
    }

    /// The node that begins with an event.
    private func node(_ event: Event) throws(PipelineFileError) -> YAMLNode {
        let before = count
        count += 1
        let node: YAMLNode
        switch event.type {
        case YAML_ALIAS_EVENT:
            guard let known = anchors[event.anchor ?? ""] else {
                throw notYAML("found undefined alias", at: event.place)
            }
            count += known.count
            node = known.node
        case YAML_SEQUENCE_START_EVENT:
            var nodes: [YAMLNode] = []
            while let next = try next(before: YAML_SEQUENCE_END_EVENT) { nodes.append(try self.node(next)) }
            node = YAMLNode(content: .list(nodes), place: event.place)
        case YAML_MAPPING_START_EVENT:
            var pairs: [(key: YAMLNode, value: YAMLNode)] = []
            while let key = try next(before: YAML_MAPPING_END_EVENT) {
                pairs.append((try self.node(key), try self.node(next())))
            }
            node = YAMLNode(content: .mapping(pairs), place: event.place)
        default: node = YAMLNode(content: .scalar(event.scalar), place: event.place)
        }
        guard count <= Self.mostNodes else {
            let text: MessageText = "the file has more than \(Text.number(Self.mostNodes)) keys, values and lists; "
            throw PipelineFileError(
                .tooManyNodes, text: text + "an alias counts as all that it stands for", in: file, at: event.place)
        }
        if event.type != YAML_ALIAS_EVENT, let anchor = event.anchor { anchors[anchor] = (node, count - before) }
        return node
    }

    /// The error that the text is not YAML.
    private var fault: PipelineFileError {
        let parser = parser.pointee
        let words = [parser.context, parser.problem].compactMap { $0.map { String(cString: $0) } }
        if parser.error == YAML_READER_ERROR {
            let before = String(decoding: text.prefix(parser.problem_offset), as: UTF8.self).unicodeScalars
            let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
            let place = YAMLNode.Place(line: lines.count, column: (lines.last?.count ?? 0) + 1)
            return notYAML(words.last ?? "", at: place)
        }
        let place = YAMLNode.Place(parser.problem_mark)
        guard words.last?.hasPrefix("Maximum nesting level") == true else {
            return notYAML(words.joined(separator: ", "), at: place)
        }
        return PipelineFileError(
            .tooDeep, text: "lists and mappings are nested more than 1,000 deep", in: file, at: place)
    }

    private func notYAML(_ words: String, at place: YAMLNode.Place) -> PipelineFileError {
        PipelineFileError(.notYaml, text: "not valid YAML: \(words)", in: file, at: place)
    }
}

/// An event of libyaml. It owns the event's texts.
private final class Event {
    var event = yaml_event_t()

    deinit { yaml_event_delete(&event) }

    var type: yaml_event_type_t { event.type }
    var place: YAMLNode.Place { .init(event.start_mark) }

    /// The name of the node's anchor, or of an alias. All kinds of events store it in the same place.
    var anchor: String? { event.data.scalar.anchor.map { String(cString: $0) } }

    /// The scalar of the event. Without quotes and tag, its text decides the type.
    var scalar: Node.Scalar {
        let scalar = event.data.scalar
        let text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
        let tag = scalar.tag.map { Tag(Tag.Name(rawValue: String(cString: $0))) }
        return Node.Scalar(
            String(decoding: text, as: UTF8.self), tag ?? (scalar.quoted_implicit == 1 ? Tag(.str) : .implicit),
            scalar.style == YAML_PLAIN_SCALAR_STYLE ? .plain : .any)
    }
}

extension YAMLNode.Place {
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: mark.line + 1, column: mark.column + 1)
    }
}
