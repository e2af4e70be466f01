/// The content of JSON strings.
enum JSONText {
    /// Appends what a valid string with this inside says; half a surrogate pair says U+FFFD.
    static func append(_ text: Span<UInt8>, _ range: Range<Int>, to output: inout [UInt8]) {
        let end = range.upperBound
        var from = range.lowerBound
        while let escape = text.firstIndex(of: UInt8(ascii: "\\"), from: from, to: end) {
            output.append(text, from..<escape)
            from = min(escape + 2, end)
            guard escape + 1 < end else { break }
            switch text[escape + 1] {
            case UInt8(ascii: "b"): output.append(0x08)
            case UInt8(ascii: "f"): output.append(0x0C)
            case UInt8(ascii: "n"): output.append(0x0A)
            case UInt8(ascii: "r"): output.append(0x0D)
            case UInt8(ascii: "t"): output.append(0x09)
            case UInt8(ascii: "u"):
                guard let unit = codeUnit(text, at: from, end) else { break }
                from += 4
                var scalar = UInt32(unit)
                if unit >> 10 == 0x36, from + 1 < end, text[from] == UInt8(ascii: "\\"),
                    text[from + 1] == UInt8(ascii: "u"), let low = codeUnit(text, at: from + 2, end), low >> 10 == 0x37
                {
                    scalar = 0x10000 + UInt32(unit & 0x3FF) << 10 + UInt32(low & 0x3FF)
                    from += 6
                }
                output.append(
                    contentsOf: UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
            default: output.append(text[escape + 1])
            }
        }
        output.append(text, from..<end)
    }

    private static func codeUnit(_ text: Span<UInt8>, at start: Int, _ end: Int) -> UInt16? {
        guard start + 4 <= end else { return nil }
        var unit = 0 as UInt16
        for index in start..<start + 4 {
            guard let digit = text[index].hexValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
