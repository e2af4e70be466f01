import Messages

/// A format of lines that the pipeline file spells out: values with literals between them. It is an nginx `log_format`
/// or an Apache `LogFormat`.
///
///     $remote_addr [$time_local] "$request" $status "$http_user_agent" "$request_body"
///     %h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"
package struct LineFormat: Equatable, Sendable {
    enum Value: Equatable, Sendable {
        case time(ReceiptClock.Form)
        /// A time as Apache's `%{format}t` writes it.
        case formattedTime(TimeFormat)
        case field(JSONFields.Field)

        /// The end of a value at the end of the format, which other text may follow. It ends at the first space or tab,
        /// unless such values may contain them.
        func end(in line: Span<UInt8>, from start: Int) -> Int {
            switch self {
            // 19/Nov/2026:10:00:00 +0000
            case .time(.timeLocal):
                let end = Value.endOfWord(line, from: start)
                guard end + 2 < line.count, line[end] == 0x20, line[end + 2].isDigit,
                    line[end + 1] == UInt8(ascii: "+") || line[end + 1] == UInt8(ascii: "-")
                else { return end }
                return Value.endOfWord(line, from: end + 1)
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
                    "adjacent_values",
                    "nothing stands between '\(last.names[last.names.count - 1])' and '\(name)' in the layout, "
                        + "so the end of the first one cannot be found")
            }
        }
        pieces.append(Piece(value: value, names: [name]))
    }

    /// Adds a time as Apache's `%{format}t` writes it. A fraction belongs to such a time before it, otherwise it is not read.
    mutating func append(_ format: TimeFormat, name: String) throws(LayoutError) {
        guard format.isFraction else { return try append(.formattedTime(format), name: name) }
        guard let last = pieces.last, case .formattedTime(var time) = last.value else {
            return try append(nil, name: name)
        }
        time.append(last.literal, format)
        pieces[pieces.count - 1] = Piece(value: .formattedTime(time), names: last.names + [name])
    }

    /// Whether a time needs the name of its zone.
    package var readsZoneName: Bool {
        pieces.contains { if case .formattedTime(let format) = $0.value { format.readsZoneName } else { false } }
    }

    /// The first value, in the words of the format, that may have spaces in it and ends at the first one.
    package var cutValue: String? {
        pieces.first { piece in
            let mayHaveSpaces = piece.value == .field(.request) || piece.value == .field(.userAgent)
            return mayHaveSpaces && !piece.literal.isEmpty && piece.literal.allSatisfy { $0 == 0x20 }
        }?.names[0]
    }

    /// The number of values.
    package var length: Int { pieces.count }

    /// Which of time, request, its body, status and user agent the format has values for.
    package var fields: Set<JSONFields.Field> {
        var fields: Set<JSONFields.Field> = []
        let values = pieces.compactMap(\.value)
        func has(_ field: JSONFields.Field) -> Bool { values.contains(.field(field)) }
        if has(.request) || has(.method) && (has(.url) || has(.path) && has(.query)) { fields.insert(.request) }
        for field in [.requestBody, .status, .userAgent] as [JSONFields.Field] where has(field) { fields.insert(field) }
        for value in values {
            switch value {
            case .time, .formattedTime: fields.insert(.time)
            case .field: break
            }
        }
        return fields
    }

    /// The byte of a literal at `index`, with the escapes of a configuration file: `\t` is a tab, and `\"`, `\'` and
    /// `\\` are the character after the backslash. Advances `index` past it.
    static func takeLiteral(_ bytes: [UInt8], _ index: inout Int) throws(LayoutError) -> UInt8 {
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
