import Messages

/// A format of lines that the pipeline file spells out: values with literals between them. It is an nginx `log_format`
/// or an Apache `LogFormat`.
///
///     $remote_addr [$time_local] "$request" $status "$http_user_agent" "$request_body"
///     %h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"
package struct LineFormat: Equatable, Sendable {
    enum Value: Equatable, Sendable {
        case time(ReceiptClock.Form)
        /// A time as Apache's `%{format}t` writes it, or the fraction of the one before it, if that has quotes of its
        /// own.
        case formattedTime(TimeFormat)
        case field(JSONFields.Field)

        /// The field that it gives.
        var field: JSONFields.Field { if case .field(let field) = self { field } else { .time } }

        /// The end of a value at the end of the format, which other text may follow. It ends at the first space or tab,
        /// unless such values may contain them.
        func end(in line: Span<UInt8>, from start: Int) -> Int {
            switch self {
            // 19/Nov/2026:10:00:00 +0000
            case .time(.timeLocal):
                let end = Value.endOfWord(line, from: start)
                let hasOffset = end < line.count && line[end] == 0x20 && line.hasOffset(at: end + 1)
                return hasOffset ? Value.endOfWord(line, from: end + 1) : end
            case .field(.request), .field(.userAgent), .field(.requestBody): return line.count
            default: return Value.endOfWord(line, from: start)
            }
        }

        private static func endOfWord(_ line: Span<UInt8>, from start: Int) -> Int {
            var end = start
            while end < line.count && line[end] != 0x20 && line[end] != 0x09 { end += 1 }
            return end
        }
    }

    /// A value and the literal after it.
    struct Piece: Equatable, Sendable {
        /// Nil if the value is not needed.
        var value: Value?
        /// The value in the words of the format, for messages: `$status`, `%>s`. Several, if they are skipped together.
        var names: [String]
        /// Empty only after the last value, and where a time's own shape tells where it ends.
        var literal: [UInt8] = []
    }

    /// The literal before the first value.
    private(set) var opening: [UInt8] = []
    private(set) var pieces: [Piece] = []
    /// The location of the opening and of each literal, for messages: `before $status`.
    func context(_ index: Int) -> String {
        index < pieces.count ? "before \(pieces[index].names[0])" : "after \(pieces.last?.names[0] ?? "")"
    }

    mutating func append(_ literal: UInt8) {
        if pieces.isEmpty {
            opening.append(literal)
        } else {
            pieces[pieces.count - 1].literal.append(literal)
        }
    }

    /// Adds a value. Values that are not needed and not separated are skipped together.
    mutating func append(_ value: Value?, name: String) throws(LayoutError) {
        if let last = pieces.last, last.literal.isEmpty {
            switch last.value {
            case .formattedTime: break
            case nil where value == nil:
                pieces[pieces.count - 1].names.append(name)
                return
            default:
                throw LayoutError(
                    .adjacentValues,
                    text: "nothing stands between '\(last.names[last.names.count - 1])' and '\(name)' in the layout, "
                        + "so the end of the first one cannot be found")
            }
        }
        pieces.append(Piece(value: value, names: [name]))
    }

    /// Adds a time as Apache's `%{format}t` writes it. A fraction belongs to such a time before it, otherwise it is not
    /// read.
    mutating func append(_ format: TimeFormat, name: String) throws(LayoutError) {
        guard format.isFraction else { return try append(.formattedTime(format), name: name) }
        guard let last = pieces.last, case .formattedTime(var time) = last.value, !time.hasFraction else {
            return try append(nil, name: name)
        }
        guard last.literal.last != UInt8(ascii: "\"") else { return try append(.formattedTime(format), name: name) }
        time.append(last.literal, then: format)
        pieces[pieces.count - 1] = Piece(value: .formattedTime(time), names: last.names + [name])
    }

    /// The values, in the words of the format, that may have spaces in them and end at the first one.
    package var cutValues: [String] {
        pieces.filter { piece in
            let mayHaveSpaces = piece.value == .field(.request) || piece.value == .field(.userAgent)
            return mayHaveSpaces && !piece.literal.isEmpty && piece.literal.allSatisfy { $0 == 0x20 }
        }.map { $0.names[0] }
    }

    /// The number of values.
    package var length: Int { pieces.count }

    /// Which of time, request, its body, status and user agent the format has values for.
    package var fields: Set<JSONFields.Field> {
        let found = Set(pieces.compactMap { $0.value?.field })
        let isRequest = [[.request], [.method, .url], [.method, .path, .query]].contains { found.isSuperset(of: $0) }
        return found.intersection([.time, .requestBody, .status, .userAgent]).union(isRequest ? [.request] : [])
    }

    /// Whether the format has a part of the request, but not both its method and its path.
    package var hasHalfRequest: Bool {
        !fields.contains(.request) && pieces.contains { [.method, .url, .path].contains($0.value?.field) }
    }

    /// The byte of a literal at `index`, with the escapes of a configuration file: `\t` is a tab, and `\"`, `\'` and
    /// `\\` are the character after the backslash. Advances `index` past it.
    static func takeLiteral(from bytes: [UInt8], at index: inout Int) throws(LayoutError) -> UInt8 {
        let byte = bytes[index]
        index += 1
        guard byte == UInt8(ascii: "\\"), index < bytes.count else { return byte }
        let escaped = bytes[index]
        switch escaped {
        case UInt8(ascii: "n"), UInt8(ascii: "r"): throw .lineBreak
        case UInt8(ascii: "t"):
            index += 1
            return 0x09
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"):
            index += 1
            return escaped
        default: return byte
        }
    }
}

extension LineFormat {
    private static let nginxValues: [(name: String, value: Value)] =
        [
            ("time_local", .time(.timeLocal)), ("time_iso8601", .time(.iso8601)), ("msec", .time(.msec)),
        ]
        + JSONFields.Field.allCases.compactMap { field in field.nginxVariable.map { (name: $0, value: .field(field)) } }

    /// The names of the nginx variables that are read, without `$`.
    package static let nginxVariables = nginxValues.map(\.name)

    // A `Regex` never changes, but is not Sendable.
    /// `$name` or `${name}`
    nonisolated(unsafe) private static let variable =
        #/\$(?:\{([A-Za-z0-9_]+)\}|([A-Za-z0-9_]+))/#.matchingSemantics(.unicodeScalar)

    /// Whether a text has a `$name` or a `${`.
    static func hasVariable(_ text: String) -> Bool {
        text.contains(#/\$[A-Za-z0-9_{]/#.matchingSemantics(.unicodeScalar))
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
                append(try LineFormat.takeLiteral(from: bytes, at: &index))
                continue
            }
            let rest = String(decoding: bytes[index...], as: UTF8.self)
            guard let match = rest.prefixMatch(of: Self.variable), let name = match.1 ?? match.2 else {
                throw LayoutError(.strayDollar, text: "a '$' without a variable's name at byte \(index) of '\(text)'")
            }
            try append(LineFormat.nginxValues.first { $0.name == name }?.value, name: "$\(name)")
            index += match.0.utf8.count
        }
    }
}

extension LineFormat {
    /// Whether a text has an Apache directive, such as `%h`, `%>s` or `%{User-Agent}i`.
    static func hasDirective(_ text: String) -> Bool {
        text.contains(#/%[A-Za-z0-9{<>!^]/#.matchingSemantics(.unicodeScalar))
    }

    /// Parses an Apache `LogFormat`: directives with literals between them.
    init(apache text: String) throws(LayoutError) {
        self.init()
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "%") else {
                append(try LineFormat.takeLiteral(from: bytes, at: &index))
                continue
            }
            if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "%") {
                append(UInt8(ascii: "%"))
                index += 2
                continue
            }
            guard let directive = Directive(bytes, at: index) else {
                throw LayoutError(
                    .strayPercent,
                    text:
                        "a '%' without a directive of Apache at byte \(index) of '\(text)'; write '%%' for a percent sign"
                )
            }
            index = directive.end
            switch (directive.letter, directive.argument) {
            case ("t", nil):
                append(UInt8(ascii: "["))
                try append(.time(.timeLocal), name: directive.text)
                append(UInt8(ascii: "]"))
            case ("t", let format?): try append(TimeFormat(parsing: format), name: directive.text)
            case ("r", nil): try append(.field(.request), name: directive.text)
            case ("m", nil): try append(.field(.method), name: directive.text)
            case ("U", nil):
                guard let query = Directive(bytes, at: index), query.letter == "q" else {
                    try append(.field(.path), name: directive.text)
                    continue
                }
                try append(.field(.url), name: directive.text + query.text)
                index = query.end
            case ("q", nil): try append(.field(.query), name: directive.text)
            case ("s", _): try append(.field(.status), name: directive.text)
            case ("i", let header?) where header.lowercased() == "user-agent":
                try append(.field(.userAgent), name: directive.text)
            default: try append(nil, name: directive.text)
            }
        }
    }

    /// A directive: `%`, perhaps modifiers (`!400,501`, `<`, `>`) before or after an argument in braces, and a letter,
    /// or `^` and two letters.
    private struct Directive {
        let text: String
        let argument: String?
        let letter: String
        let end: Int

        // Unsafe as above.
        nonisolated(unsafe) private static let regex =
            #/%[0-9!<>,]*(?:\{([^}]*)\}[0-9!<>,]*)?(\^[A-Za-z]{2}|[A-Za-z])/#.matchingSemantics(.unicodeScalar)

        init?(_ bytes: [UInt8], at start: Int) {
            let rest = String(decoding: bytes[start...], as: UTF8.self)
            guard let match = rest.prefixMatch(of: Self.regex) else { return nil }
            text = String(match.0)
            argument = match.1.map { String($0) }
            letter = String(match.2)
            end = start + text.utf8.count
        }
    }
}
