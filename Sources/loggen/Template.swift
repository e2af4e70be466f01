import Reference

/// A text with fields to fill in. A field is a `$` and a name, such as `$id`.
struct Template: Sendable {
    enum Field: String {
        // Of a message, in requests and in `Oddities.tsv`.
        case id, upperid, padded12, padded14, number, negative, delivery, upperdelivery, code, action
        /// `&mcId=…` for the messages that have one, and its digits.
        case mcid, digits
        /// The end of an IPv6 address; a TLS handshake instead of a request.
        case host, tls
        // Of a line, in layouts.
        case address, user, time, request, status, size, referer, agent, body
        case method, target, path, query, url, absolute
        /// The first half of the request.
        case half
    }

    private let beginning: Bytes
    /// Fields, and the text after each.
    private let pieces: [(field: Field, text: Bytes)]

    init(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        beginning = Bytes(String(parts[0]))
        pieces = parts.dropFirst().compactMap { part in
            let name = part.prefix { $0.isLetter || $0.isNumber }
            return Field(rawValue: String(name)).map { ($0, Bytes(String(part.dropFirst(name.count)))) }
        }
    }

    /// Writes the text. `fill` writes the value of a field.
    func write(into text: inout Bytes, fill: (Field, inout Bytes) -> Void) {
        text += beginning
        for piece in pieces {
            fill(piece.field, &text)
            text += piece.text
        }
    }
}
