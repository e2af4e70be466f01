import Reference

/// A text with fields to fill in. A field is a `$` and the letters and digits after it, such as `$id`.
struct Template<Field: RawRepresentable<String> & Sendable>: Sendable {
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

    /// Writes the text. `fill` writes the value of a field, and returns false if the text ends there.
    func write(into line: inout Bytes, fill: (Field, inout Bytes) -> Bool) {
        line += beginning
        for piece in pieces {
            guard fill(piece.field, &line) else { return }
            line += piece.text
        }
    }

    func filled(_ fill: (Field, inout Bytes) -> Void) -> Bytes {
        var text = Bytes()
        text.reserveCapacity(128)
        write(into: &text) {
            fill($0, &$1)
            return true
        }
        return text
    }
}
