import CYaml
import Yams

/// One YAML document.
///
/// libyaml reads the text, and the nodes are made here. Yams would refuse a file with a duplicate key, so that no other fault
/// of the file could be told. And it compares keys as wholes, which takes for ever if aliases make a billion nodes of one.
struct YAMLDocument {
    struct Problem: Error {
        let location: PipelineFileError.Location
        let fault: PipelineFileError.Fault
    }

    /// The most nodes. Those of an alias count again.
    static let mostNodes = 200_000

    /// Nil if the text has no document.
    let root: YAMLNode?

    init(_ text: String) throws(Problem) {
        let composer = Composer(Array(text.utf8))
        root = try composer.document()
    }
}

/// Makes nodes of libyaml's events.
private final class Composer {
    // Both are on the heap, since libyaml stores their addresses.
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private let text: UnsafeMutableBufferPointer<UInt8>
    private var anchors: [String: (node: YAMLNode, count: Int)] = [:]
    /// The nodes so far.
    private var count = 0

    init(_ text: [UInt8]) {
        self.text = .allocate(capacity: text.count)
        _ = self.text.initialize(from: text)
        parser.initialize(to: yaml_parser_t())
        yaml_parser_initialize(parser)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, self.text.baseAddress, text.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        text.deallocate()
    }

    func document() throws(YAMLDocument.Problem) -> YAMLNode? {
        // The beginning of the stream.
        _ = try next()
        guard try next().type == YAML_DOCUMENT_START_EVENT else { return nil }
        let root = try node(try next())
        // The end of the document.
        _ = try next()
        let rest = try next()
        guard rest.type == YAML_STREAM_END_EVENT else {
            throw rest.problem(.notYAML("expected a single document in the stream, but found another document"))
        }
        return root
    }

    private func next() throws(YAMLDocument.Problem) -> Event {
        let event = Event()
        guard yaml_parser_parse(parser, &event.event) == 1 else { throw problem }
        return event
    }

    /// The node that begins with an event.
    private func node(_ event: Event) throws(YAMLDocument.Problem) -> YAMLNode {
        let before = count
        count += 1
        let node: YAMLNode
        switch event.type {
        case YAML_ALIAS_EVENT:
            guard let known = anchors[event.anchor ?? ""] else {
                throw event.problem(.notYAML("found undefined alias"))
            }
            count += known.count
            node = known.node
        case YAML_SEQUENCE_START_EVENT: node = try sequence(event)
        case YAML_MAPPING_START_EVENT: node = try mapping(event)
        default: node = event.node(.scalar(.init(event.text, event.tag, event.style)))
        }
        guard count <= YAMLDocument.mostNodes else { throw event.problem(.tooManyNodes(limit: YAMLDocument.mostNodes)) }
        if event.type != YAML_ALIAS_EVENT, let anchor = event.anchor { anchors[anchor] = (node, count - before) }
        return node
    }

    private func sequence(_ event: Event) throws(YAMLDocument.Problem) -> YAMLNode {
        var nodes: [YAMLNode] = []
        while true {
            let next = try next()
            if next.type == YAML_SEQUENCE_END_EVENT { break }
            nodes.append(try node(next))
        }
        return event.node(.sequence(nodes))
    }

    private func mapping(_ event: Event) throws(YAMLDocument.Problem) -> YAMLNode {
        var pairs: [(key: YAMLNode, value: YAMLNode)] = []
        while true {
            let next = try next()
            if next.type == YAML_MAPPING_END_EVENT { break }
            let key = try node(next)
            pairs.append((key, try node(try self.next())))
        }
        return event.node(.mapping(pairs))
    }

    /// Why the text is no YAML.
    private var problem: YAMLDocument.Problem {
        let parser = parser.pointee
        let words = [parser.context, parser.problem].compactMap { $0.map { String(cString: $0) } }
        if parser.error == YAML_READER_ERROR {
            let before = text.prefix(parser.problem_offset)
            let line = before.lastIndex(of: 0x0A).map { before[($0 + 1)...] } ?? before[...]
            let location = PipelineFileError.Location(
                line: before.count { $0 == 0x0A } + 1,
                column: String(decoding: line, as: UTF8.self).unicodeScalars.count + 1)
            return .init(location: location, fault: .notYAML(words.last ?? ""))
        }
        let isTooDeep = words.last?.hasPrefix("Maximum nesting level") == true
        return .init(
            location: .init(parser.problem_mark), fault: isTooDeep ? .tooDeep : .notYAML(words.joined(separator: ", ")))
    }
}

/// An event of libyaml. It owns the event's texts.
private final class Event {
    var event = yaml_event_t()

    deinit { yaml_event_delete(&event) }

    var type: yaml_event_type_t { event.type }

    /// The name that it gives a node, or the name of an alias.
    var anchor: String? {
        let name =
            switch type {
            case YAML_ALIAS_EVENT: event.data.alias.anchor
            case YAML_SEQUENCE_START_EVENT: event.data.sequence_start.anchor
            case YAML_MAPPING_START_EVENT: event.data.mapping_start.anchor
            default: event.data.scalar.anchor
            }
        return name.map { String(cString: $0) }
    }

    /// The type of a scalar, as the file says it; implicit for one without quotes, whose text tells the type.
    var tag: Tag {
        if let name = event.data.scalar.tag { return Tag(Tag.Name(rawValue: String(cString: name))) }
        return event.data.scalar.quoted_implicit == 1 ? Tag(.str) : .implicit
    }

    /// The content of a scalar.
    var text: String {
        String(
            decoding: UnsafeBufferPointer(start: event.data.scalar.value, count: event.data.scalar.length),
            as: UTF8.self)
    }

    var style: Node.Scalar.Style { event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE ? .plain : .any }

    func problem(_ fault: PipelineFileError.Fault) -> YAMLDocument.Problem {
        .init(location: .init(event.start_mark), fault: fault)
    }

    func node(_ content: YAMLNode.Content) -> YAMLNode {
        YAMLNode(content: content, location: .init(event.start_mark))
    }
}

extension PipelineFileError.Location {
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: mark.line + 1, column: mark.column + 1)
    }
}
