import Yams

/// A value in a YAML document.
struct YAMLNode {
    enum Content {
        case scalar(Node.Scalar)
        case sequence([YAMLNode])
        /// A key may occur twice.
        case mapping([(key: YAMLNode, value: YAMLNode)])
    }

    let content: Content
    let location: PipelineFileError.Location

    /// The text of a scalar as the file has it; empty for any other value.
    var plainText: String { scalar?.string ?? "" }

    /// The truth value of a scalar; nil if it has none.
    var flag: Bool? { has(.bool) ? scalar.flatMap { Node.scalar($0).bool } : nil }

    /// Whether it is a scalar without quotes, or one whose tag says that it is a number.
    var mayBeNumber: Bool { scalar?.style == .plain || has(.int) || has(.float) }

    /// Whether it is a scalar of a type, by its tag or its text.
    func has(_ type: Tag.Name) -> Bool { scalar.map { Node.scalar($0).tag == Tag(type) } ?? false }

    private var scalar: Node.Scalar? { if case .scalar(let scalar) = content { scalar } else { nil } }
}
