/// Where a line stops to fit its layout, and what should be there.
///
/// It holds names from the layout and the pipeline only, so that its text may be shown to anybody:
///
///     combined: expected '"' at byte 54, before the request; found a letter
struct Misfit: Error {
    /// Only what lies ready, since millions of lines may not fit, and few of them are told of.
    enum Expected {
        case text(String)
        case byte(UInt8)
        /// A literal of the layout, the whole of it.
        case literal([UInt8])
    }

    var expected: Expected
    /// Of the first byte that cannot stand where it stands, from 0 on; the line's length if more should follow.
    var offset: Int
    /// `before the request`; empty if there is nothing to say.
    var place: String

    init(_ expected: Expected, at offset: Int, _ place: String = "") {
        self.expected = expected
        self.offset = offset
        self.place = place
    }

    init(_ expected: String, at offset: Int, _ place: String = "") {
        self.init(.text(expected), at: offset, place)
    }

    /// `layout` is its name.
    func text(_ layout: String, _ line: Span<UInt8>) -> String {
        let found = offset < line.count ? Misfit.kind(line[offset]) : "the end of the line"
        let expected =
            switch expected {
            case .text(let text): text
            case .byte(let byte): Misfit.quoted([byte])
            case .literal(let literal): Misfit.quoted(literal)
            }
        return "\(layout): expected \(expected) at byte \(offset + 1)\(place.isEmpty ? "" : ", ")\(place); "
            + "found \(found)"
    }

    private static func quoted(_ literal: [UInt8]) -> String {
        switch literal {
        case [0x20]: "a space"
        case [0x09]: "a tab"
        default: "'" + String(decoding: literal, as: UTF8.self).replacing("\t", with: "\\t") + "'"
        }
    }

    /// What a byte of a log is, without telling which one.
    static func kind(_ byte: UInt8) -> String {
        switch byte {
        case 0x20: "a space"
        case 0x09: "a tab"
        case 0..<0x20, 0x7F: "a control character"
        case 0x80...: "a byte above 0x7F"
        case let byte where byte.isLetter: "a letter"
        case let byte where byte.isDigit: "a digit"
        case UInt8(ascii: "\""), UInt8(ascii: "'"): "a quote"
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
            UInt8(ascii: "}"), UInt8(ascii: "<"), UInt8(ascii: ">"):
            "a bracket"
        case UInt8(ascii: "\\"): "a backslash"
        case UInt8(ascii: "/"): "a slash"
        case UInt8(ascii: "-"): "a hyphen"
        case UInt8(ascii: ","): "a comma"
        case UInt8(ascii: ":"): "a colon"
        case UInt8(ascii: "."): "a point"
        default: "a punctuation mark"
        }
    }
}

extension Span<UInt8> {
    /// The byte behind `literal`, which must stand at `start`.
    func end(of literal: [UInt8], at start: Int, _ place: @autoclosure () -> String) throws(Misfit) -> Int {
        for index in literal.indices {
            guard start + index < count, self[start + index] == literal[index] else {
                throw Misfit(.byte(literal[index]), at: Swift.min(start + index, count), place())
            }
        }
        return start + literal.count
    }

    /// Where `literal` stands next; it must come somewhere.
    func next(_ literal: [UInt8], from start: Int, _ place: @autoclosure () -> String) throws(Misfit) -> Int {
        guard let found = firstIndex(of: literal, from: start, to: count) else {
            throw Misfit(.literal(literal), at: count, place())
        }
        return found
    }

    /// The quote that ends a value which begins at `start`.
    func closingQuote(from start: Int, _ place: @autoclosure () -> String) throws(Misfit) -> Int {
        guard let quote = LogEscapes.closingQuote(self, from: start) else {
            throw Misfit(.byte(UInt8(ascii: "\"")), at: count, place())
        }
        return quote
    }
}
