/// A JSON text whose objects keep the order of their keys. JSON is YAML too.
indirect enum JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    case text(String)
    case number(Int)
    case bool(Bool)
    case null
    case array([JSONValue])
    case object([(key: String, value: JSONValue)])

    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int) { self = .number(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(nilLiteral: ()) { self = .null }
    init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(elements.map { ($0, $1) }) }

    /// With an indent of two spaces a level, and a line break at the end.
    var document: String { text(indent: "") + "\n" }

    /// On one line.
    var line: String { text(indent: nil) }

    private func text(indent: String?) -> String {
        switch self {
        case .text(let text): JSONValue.quoted(text)
        case .number(let number): String(number)
        case .bool(let flag): flag ? "true" : "false"
        case .null: "null"
        case .array(let values): JSONValue.list(values, "[", "]", indent) { $0.text(indent: $1) }
        case .object(let pairs):
            JSONValue.list(pairs, "{", "}", indent) { JSONValue.quoted($0.key) + ": " + $0.value.text(indent: $1) }
        }
    }

    private static func list<Item>(
        _ items: [Item], _ open: String, _ close: String, _ indent: String?, _ text: (Item, String?) -> String
    ) -> String {
        guard !items.isEmpty else { return open + close }
        guard let indent else { return open + items.map { text($0, nil) }.joined(separator: ", ") + close }
        let inner = indent + "  "
        let lines = items.map { inner + text($0, inner) }
        return "\(open)\n\(lines.joined(separator: ",\n"))\n\(indent)\(close)"
    }

    private static func quoted(_ text: String) -> String {
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
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
