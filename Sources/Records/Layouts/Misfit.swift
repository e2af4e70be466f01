/// The first mismatch between a line and its layout.
///
/// Its text contains only names from the layout and the pipeline, and no data of the line, so it may be shown to
/// anybody:
///
///     combined: expected '"' at byte 54, before the request; found a letter
struct Misfit: Error {
    /// What the layout expects. The text is made later, because millions of lines may not fit, and few are reported.
    enum Expected {
        case text(String)
        case byte(UInt8)
        /// A whole literal of the layout.
        case literal([UInt8])
    }

    var expected: Expected
    /// The 0-based offset of the first wrong byte; the length of the line if bytes are missing.
    var offset: Int
    /// The location in words, such as `before the request`; may be empty.
    var context: String

    init(_ expected: Expected, at offset: Int, context: String = "") {
        self.expected = expected
        self.offset = offset
        self.context = context
    }

    init(_ expected: String, at offset: Int, context: String = "") {
        self.init(.text(expected), at: offset, context: context)
    }

    /// The message.
    /// - Parameters:
    ///   - layout: the name of the layout.
    ///   - record: the line, or the record in it that begins after `start` bytes.
    func text(layout: String, record: Span<UInt8>, from start: Int) -> String {
        let found = offset < record.count ? Misfit.kind(record[offset]) : "the end of the line"
        let expected =
            switch expected {
            case .text(let text): text
            case .byte(let byte): Misfit.quoted([byte])
            case .literal(let literal): Misfit.quoted(literal)
            }
        return "\(layout): expected \(expected) at byte \(start + offset + 1)\(context.isEmpty ? "" : ", ")\(context); "
            + "found \(found)"
    }

    private static func quoted(_ literal: [UInt8]) -> String {
        switch literal {
        case [0x20]: "a space"
        case [0x09]: "a tab"
        default: "'" + String(decoding: literal, as: UTF8.self).replacing("\t", with: "\\t") + "'"
        }
    }

    /// The class of a byte, which does not reveal the byte itself.
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
    /// The offset after `literal`. Throws if `literal` is not at `start`.
    func end(of literal: [UInt8], at start: Int, _ context: @autoclosure () -> String) throws(Misfit) -> Int {
        for index in literal.indices {
            guard start + index < count, self[start + index] == literal[index] else {
                throw Misfit(.byte(literal[index]), at: Swift.min(start + index, count), context: context())
            }
        }
        return start + literal.count
    }

    /// The offset of the next `literal`. Throws if there is none.
    func next(_ literal: [UInt8], from start: Int, context: @autoclosure () -> String) throws(Misfit) -> Int {
        guard let found = firstIndex(of: literal, from: start, to: count) else {
            throw Misfit(.literal(literal), at: count, context: context())
        }
        return found
    }

    /// The offset of the quote that ends the value at `start`. Throws if there is none.
    func closingQuote(from start: Int, _ context: @autoclosure () -> String) throws(Misfit) -> Int {
        guard let quote = LogEscapes.closingQuote(self, from: start) else {
            throw Misfit(.byte(UInt8(ascii: "\"")), at: count, context: context())
        }
        return quote
    }
}
