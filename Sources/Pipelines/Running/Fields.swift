extension Encoder {
    /// Encodes values by their keys. Those that are nil are left out.
    package func encode(fields: KeyValuePairs<String, (any Encodable)?>) throws {
        var container = container(keyedBy: FieldKey.self)
        for case (let key, let value?) in fields { try container.encode(value, forKey: FieldKey(stringValue: key)) }
    }
}

private struct FieldKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) { nil }
}
