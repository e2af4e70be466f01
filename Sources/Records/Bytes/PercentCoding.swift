/// The percent-encoding of URLs, `%XX`. For forms see `FormDecoder`.
enum PercentCoding {
    /// Appends the decoded value of a URL's query. A `+` and an invalid escape are kept unchanged.
    static func appendQuery(_ text: Span<UInt8>, _ range: Range<Int>, to output: inout [UInt8]) {
        let end = range.upperBound
        var index = range.lowerBound
        while let percent = text.firstIndex(of: UInt8(ascii: "%"), from: index, to: end) {
            output.append(text, index..<percent)
            if percent + 2 < end, let high = text[percent + 1].hexValue, let low = text[percent + 2].hexValue {
                output.append(high << 4 | low)
                index = percent + 3
            } else {
                output.append(text[percent])
                index = percent + 1
            }
        }
        output.append(text, index..<end)
    }

    /// Decodes a range of bytes in place, by the same rules. Returns the range of the decoded bytes.
    static func decodeQuery(_ bytes: inout [UInt8], _ range: Range<Int>) -> Range<Int> {
        guard bytes.span.firstIndex(of: UInt8(ascii: "%"), from: range.lowerBound, to: range.upperBound) != nil else {
            return range
        }
        var end = range.lowerBound
        var index = end
        while index < range.upperBound {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < range.upperBound,
                let high = bytes[index + 1].hexValue, let low = bytes[index + 2].hexValue
            {
                bytes[end] = high << 4 | low
                index += 3
            } else {
                bytes[end] = bytes[index]
                index += 1
            }
            end += 1
        }
        return range.lowerBound..<end
    }
}
