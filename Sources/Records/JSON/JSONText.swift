/// Unescapes JSON strings.
enum JSONText {
    /// Appends the content of a valid string, whose bytes between the quotes are in `range`. Half a surrogate pair
    /// becomes U+FFFD.
    static func append(_ text: Span<UInt8>, in range: Range<Int>, to output: inout [UInt8]) {
        let end = range.upperBound
        var from = range.lowerBound
        while let escape = text.firstIndex(of: UInt8(ascii: "\\"), from: from, to: end) {
            output.append(text, in: from..<escape)
            from = min(escape + 2, end)
            guard escape + 1 < end else { break }
            switch text[escape + 1] {
            case UInt8(ascii: "b"): output.append(0x08)
            case UInt8(ascii: "f"): output.append(0x0C)
            case UInt8(ascii: "n"): output.append(0x0A)
            case UInt8(ascii: "r"): output.append(0x0D)
            case UInt8(ascii: "t"): output.append(0x09)
            case UInt8(ascii: "u"):
                guard let unit = codeUnit(in: text, at: from, before: end) else { break }
                from += 4
                var scalar = UInt32(unit)
                if unit >> 10 == 0x36, from + 1 < end, text[from] == UInt8(ascii: "\\"),
                    text[from + 1] == UInt8(ascii: "u"), let low = codeUnit(in: text, at: from + 2, before: end),
                    low >> 10 == 0x37
                {
                    scalar = 0x10000 + UInt32(unit & 0x3FF) << 10 + UInt32(low & 0x3FF)
                    from += 6
                }
                output.append(
                    contentsOf: UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
            default: output.append(text[escape + 1])
            }
        }
        output.append(text, in: from..<end)
    }

    /// The UTF-16 code unit of the four digits at `start`.
    private static func codeUnit(in text: Span<UInt8>, at start: Int, before end: Int) -> UInt16? {
        start + 4 <= end ? text.hexNumber(start..<start + 4).map { UInt16($0) } : nil
    }
}
