import Messages
import Yams

/// A value of a YAML text.
struct YAMLNode {
    enum Content {
        /// Yams determines its type.
        case scalar(Node.Scalar)
        case list([YAMLNode])
        /// The same key may occur more than once.
        case mapping([(key: YAMLNode, value: YAMLNode)])
    }

    /// Lines and columns count from 1, columns in Unicode scalars.
    struct Place {
        static let start = Place(line: 1, column: 1)

        let line: Int
        let column: Int
    }

    let content: Content
    let place: Place

    /// The text of a scalar as the file has it; empty for any other value.
    var plainText: String { scalar?.string ?? "" }

    /// The truth value of a scalar; nil if it has none.
    var flag: Bool? { has(.bool) ? scalar.flatMap { Node.scalar($0).bool } : nil }

    /// Whether the node may be a number: a scalar without quotes, or with the tag of a number.
    var mayBeNumber: Bool { scalar?.style == .plain || has(.int) || has(.float) }

    /// Whether it is a scalar of a type, by its tag or its text.
    func has(_ type: Tag.Name) -> Bool { scalar.map { Node.scalar($0).tag == Tag(type) } ?? false }

    /// Whether the node is an empty text.
    var isEmptyText: Bool { has(.str) && plainText.isEmpty }

    private var scalar: Node.Scalar? { if case .scalar(let scalar) = content { scalar } else { nil } }
}

extension PipelineFileError {
    /// The error of a file that has this one fault only.
    init(_ code: MessageCode, text: MessageText, in file: String, at place: YAMLNode.Place = .start) {
        let message = Message(code, text: text, path: file, line: place.line, column: place.column)
        self.init(messages: [message.shown(.stored)])
    }
}
