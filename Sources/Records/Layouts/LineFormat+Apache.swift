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
            guard let directive = Directive(bytes, at: index) else { throw .strayPercent(index) }
            index = directive.end
            switch (directive.letter, directive.argument) {
            case ("t", nil):
                append(UInt8(ascii: "["))
                try append(.time(.timeLocal), name: directive.text)
                append(UInt8(ascii: "]"))
            case ("t", let format?): try append(.timeParts(TimeFormat(parsing: format)), name: directive.text)
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
        try checkTime()
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

    /// Throws if the values give a part of the time, but not the date and the time to the second. The names of zones are
    /// only read if nothing else tells the offset.
    private mutating func checkTime() throws(LayoutError) {
        let formats = pieces.compactMap { if case .timeParts(let format) = $0.value { format } else { nil } }
        let parts = formats.reduce(into: Set<TimeParts.Part>()) { $0.formUnion($1.parts) }
        let isWhole = pieces.contains { if case .time = $0.value { true } else { false } }
        let isComplete = TimeFormat.areComplete(parts)
        if !isWhole, !parts.isEmpty, !isComplete { throw .incompleteTime }
        if !isComplete || !parts.isDisjoint(with: [.offset, .epoch]) { skipZoneNames() }
    }
}
