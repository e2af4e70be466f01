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
}
