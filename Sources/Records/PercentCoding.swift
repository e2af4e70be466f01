/// `%XX` and, in forms, `+` for a space.
enum PercentCoding {
    /// Decodes a form's value behind `output`: `+` is a space, and a broken escape is an error, for which it answers false.
    static func appendForm(_ text: Span<UInt8>, _ range: Range<Int>, to output: inout [UInt8]) -> Bool {
        output.reserveCapacity(output.count + range.count)
        let end = range.upperBound
        var index = range.lowerBound
        while index < end {
            let byte = text[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < end, let high = text[index + 1].hexValue, let low = text[index + 2].hexValue
                else { return false }
                output.append(high << 4 | low)
                index += 3
            } else {
                output.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
                index += 1
            }
        }
        return true
    }

    /// Decodes a URL's value behind `output`: a plus stays a plus, and a broken escape stays as it is.
    static func appendQuery(_ text: Span<UInt8>, _ range: Range<Int>, to output: inout [UInt8]) {
        let end = range.upperBound
        var index = range.lowerBound
        while index < end {
            if text[index] == UInt8(ascii: "%"), index + 2 < end, let high = text[index + 1].hexValue,
                let low = text[index + 2].hexValue
            {
                output.append(high << 4 | low)
                index += 3
            } else {
                output.append(text[index])
                index += 1
            }
        }
    }
}
