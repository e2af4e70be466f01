extension LineFormat {
    private static let nginxValues: [(name: String, value: Value)] =
        [
            ("time_local", .time(.timeLocal)), ("time_iso8601", .time(.iso8601)), ("msec", .time(.msec)),
        ]
        + JSONFields.Field.allCases.compactMap { field in field.nginxVariable.map { (name: $0, value: .field(field)) } }

    /// The names of the nginx variables that are read, without `$`.
    package static let nginxVariables = nginxValues.map(\.name)

    /// Whether a text has a `$name` or a `${name}`.
    static func hasVariable(_ text: String) -> Bool {
        zip(text.utf8, text.utf8.dropFirst()).contains { dollar, next in
            dollar == UInt8(ascii: "$") && (next == UInt8(ascii: "{") || next.isOfName)
        }
    }

    /// The names of the nginx variables of the format, without `$`.
    package var variables: Set<String> {
        Set(pieces.flatMap(\.names).map { String($0.dropFirst()) })
    }

    /// Parses an nginx `log_format`: variables `$name` or `${name}` with literals between them.
    init(nginx text: String) throws(LayoutError) {
        self.init()
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "$") else {
                append(try LineFormat.takeLiteral(bytes, &index))
                continue
            }
            let dollar = index
            let isBraced = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "{")
            let start = index + (isBraced ? 2 : 1)
            index = start
            while index < bytes.count, bytes[index].isOfName { index += 1 }
            let name = String(decoding: bytes[start..<index], as: UTF8.self)
            if isBraced {
                guard index < bytes.count, bytes[index] == UInt8(ascii: "}") else { throw .strayDollar(dollar) }
                index += 1
            }
            guard !name.isEmpty else { throw .strayDollar(dollar) }
            try append(LineFormat.nginxValues.first { $0.name == name }?.value, name: "$\(name)")
        }
    }
}

extension UInt8 {
    /// Whether the byte may be in the name of an nginx variable.
    fileprivate var isOfName: Bool { isLetter || isDigit || self == UInt8(ascii: "_") }
}
