import CVectors

/// The percent-encoding of URLs, `%XX`. For forms see `FormDecoder`.
enum PercentCoding {
    /// Appends the decoded value of a URL's query. A `+` and an invalid escape are kept unchanged.
    static func appendQuery(_ text: Span<UInt8>, in range: Range<Int>, to output: inout [UInt8]) {
        let start = output.count
        output.append(text, in: range)
        let end = decodeQuery(&output, in: start..<output.count).upperBound
        output.removeLast(output.count - end)
    }

    /// Decodes a range of bytes in place, by the same rules. Returns the range of the decoded bytes.
    static func decodeQuery(_ bytes: inout [UInt8], in range: Range<Int>) -> Range<Int> {
        let percent = bytes.span.firstIndex(of: UInt8(ascii: "%"), from: range.lowerBound, to: range.upperBound)
        guard let percent else { return range }
        // One check that the array is not shared, and not one for each byte.
        var span = bytes.mutableSpan
        var end = percent
        var index = percent
        while index < range.upperBound {
            if span[index] == UInt8(ascii: "%"), index + 2 < range.upperBound,
                let high = span[index + 1].hexValue, let low = span[index + 2].hexValue
            {
                span[end] = high << 4 | low
                index += 3
            } else {
                span[end] = span[index]
                index += 1
            }
            end += 1
        }
        return range.lowerBound..<end
    }
}
