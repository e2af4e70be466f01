import Messages

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
        func stray(_ offset: Int) -> LayoutError {
            LayoutError("stray_dollar", "a '$' without a variable's name at byte \(offset) of '\(text)'")
        }
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
                guard index < bytes.count, bytes[index] == UInt8(ascii: "}") else { throw stray(dollar) }
                index += 1
            }
            guard !name.isEmpty else { throw stray(dollar) }
            try append(LineFormat.nginxValues.first { $0.name == name }?.value, name: "$\(name)")
        }
    }
}

extension UInt8 {
    /// Whether the byte may be in the name of an nginx variable.
    fileprivate var isOfName: Bool { isLetter || isDigit || self == UInt8(ascii: "_") }
}

extension LineFormat {
    /// Whether a text has an Apache directive, such as `%h`, `%>s` or `%{User-Agent}i`.
    static func hasDirective(_ text: String) -> Bool {
        let marks = Array("{<>!^".utf8)
        return zip(text.utf8, text.utf8.dropFirst()).contains { percent, next in
            percent == UInt8(ascii: "%") && (next.isLetter || next.isDigit || marks.contains(next))
        }
    }

    /// Parses an Apache `LogFormat`: directives with literals between them.
    init(apache text: String) throws(LayoutError) {
        self.init()
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "%") else {
                append(try LineFormat.takeLiteral(bytes, &index))
                continue
            }
            if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "%") {
                append(UInt8(ascii: "%"))
                index += 2
                continue
            }
            guard let directive = Directive(bytes, at: index) else {
                throw LayoutError(
                    "stray_percent",
                    "a '%' without a directive of Apache at byte \(index) of '\(text)'; write '%%' for a percent sign")
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

    /// A directive: `%`, perhaps modifiers (`!400,501`, `<`, `>`), perhaps an argument in braces, and a letter, or `^`
    /// and two or three letters.
    private struct Directive {
        let text: String
        let argument: String?
        let letter: String
        let end: Int

        init?(_ bytes: [UInt8], at start: Int) {
            guard start < bytes.count, bytes[start] == UInt8(ascii: "%") else { return nil }
            var index = start + 1
            let modifiers = Array("!<>,".utf8)
            while index < bytes.count, bytes[index].isDigit || modifiers.contains(bytes[index]) { index += 1 }
            var argument: String?
            if index < bytes.count, bytes[index] == UInt8(ascii: "{") {
                guard let brace = bytes[index...].firstIndex(of: UInt8(ascii: "}")) else { return nil }
                argument = String(decoding: bytes[index + 1..<brace], as: UTF8.self)
                index = brace + 1
                // Modifiers may also follow the argument.
                while index < bytes.count, bytes[index].isDigit || modifiers.contains(bytes[index]) { index += 1 }
            }
            let letters = index
            if index < bytes.count, bytes[index] == UInt8(ascii: "^") {
                index += 1
                while index < bytes.count, bytes[index].isLetter, index - letters < 3 { index += 1 }
                guard index - letters == 3 else { return nil }
            } else {
                guard index < bytes.count, bytes[index].isLetter else { return nil }
                index += 1
            }
            self.argument = argument
            letter = String(decoding: bytes[letters..<index], as: UTF8.self)
            text = String(decoding: bytes[start..<index], as: UTF8.self)
            end = index
        }
    }
}
