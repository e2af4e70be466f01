/// An object of JSON, made of its members. What is nil is left out.
///
///     try encoder.encode(["log_date": date, "path": path.map(paths.opening), "line": line])
package struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
    private let members: [(name: String, value: (any Encodable)?)]

    package init(dictionaryLiteral members: (String, (any Encodable)?)...) {
        self.members = members.map { (name: $0, value: $1) }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in members {
            if let value { try container.encode(value, forKey: Name(stringValue: name)) }
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension Encoder {
    /// Encodes members, beside those that are encoded already.
    package func encode(_ members: JSONObject) throws { try members.encode(to: self) }
}
