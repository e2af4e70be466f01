import Hashing

/// JSON whose layout does not matter yet. JSON is YAML too.
struct JSONText: Sendable {
    let json: String

    /// JSON as it is.
    static func plain(_ json: String) -> JSONText { JSONText(json: json) }

    /// A text in quotes; nil is null.
    static func text(_ text: String?) -> JSONText {
        guard let text else { return JSONText(json: "null") }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            // Control characters, and the two line breaks that YAML does not take in a text.
            case _
            where scalar.value < 0x20 || (0x7F...0xA0).contains(scalar.value)
                || [0x2028, 0x2029, 0xFEFF].contains(scalar.value):
                quoted += "\\u" + UInt16(truncatingIfNeeded: scalar.value).hexDigits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return JSONText(json: quoted + "\"")
    }

    /// The items with commas between them, without brackets.
    static func list(_ items: [JSONText]) -> JSONText { JSONText(json: items.map(\.json).joined(separator: ", ")) }

    static func texts(_ texts: [String]) -> JSONText { list(texts.map { .text($0) }) }

    /// With an indent of two spaces a level, and a line break at the end.
    var document: String { laidOut(onLines: true) + "\n" }

    /// On one line.
    var line: String { laidOut(onLines: false) }

    /// Commas beside a bracket or another comma are dropped, so that a placeholder may be filled with nothing.
    private func laidOut(onLines: Bool) -> String {
        var result: [UInt8] = []
        var depth = 0
        var isText = false
        var isEscaped = false
        var commaIsDue = false
        func breakLine() {
            if onLines { result += [0x0A] + [UInt8](repeating: 0x20, count: 2 * depth) }
        }
        for byte in json.utf8 {
            if isText {
                result.append(byte)
                isText = byte != UInt8(ascii: "\"") || isEscaped
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                continue
            }
            let isFirst = result.last == UInt8(ascii: "{") || result.last == UInt8(ascii: "[")
            switch byte {
            case 0x20, 0x0A: continue
            case UInt8(ascii: ","):
                commaIsDue = true
                continue
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if !isFirst { breakLine() }
            case _ where isFirst: breakLine()
            case _ where commaIsDue:
                result += onLines ? [UInt8(ascii: ",")] : [UInt8(ascii: ","), 0x20]
                breakLine()
            default: break
            }
            commaIsDue = false
            result.append(byte)
            isText = byte == UInt8(ascii: "\"")
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: ":") { result.append(0x20) }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
