/// The JSON text of a value: the usual one, which is made as it is written, or another one.
enum Spelling: ExpressibleByStringInterpolation {
    case usual
    case text(String)

    init(stringLiteral text: String) {
        self = .text(text)
    }
}

extension ByteBuffer {
    /// What stands before a member of a JSON object: a comma, but after the opening brace.
    mutating func appendComma() {
        if last != 0x7B { append(0x2C) }
    }

    /// A member that is written only if it has a text.
    mutating func append(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        appendComma()
        append(name)
        append(text: value)
    }

    /// The id of a push in its most usual spelling, with quotes.
    mutating func append(_ spelling: Spelling, id: Message.ID) {
        switch spelling {
        case .usual:
            append("\"h")
            append(id)
            append(0x22)
        case .text(let text): append(text: text)
        }
    }

    /// A delivery in its most usual spelling, with quotes.
    mutating func append(_ spelling: Spelling, delivery: UInt64) {
        switch spelling {
        case .usual:
            append(0x22)
            append(hex: delivery)
            append(0x22)
        case .text(let text): append(text: text)
        }
    }
}
