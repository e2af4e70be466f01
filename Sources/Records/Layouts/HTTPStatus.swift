/// What a status means for the record that has it.
enum HTTPStatus {
    /// Whether a log may have this where the status stands: three digits, `0` for a client that left, `-` or nothing.
    static func fits(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        switch range.count {
        case 0: true
        case 1: text[range.lowerBound] == UInt8(ascii: "-") || text[range.lowerBound] == UInt8(ascii: "0")
        case 3: text.number(at: range.lowerBound, digits: 3) != nil
        default: false
        }
    }

    /// Where what is in `range` stops to be three digits.
    static func misfit(_ line: Span<UInt8>, _ range: Range<Int>) -> Misfit {
        let digits = range.prefix(3).prefix { line[$0].isDigit }.count
        return Misfit("a status of three digits", at: range.lowerBound + digits)
    }

    /// The reason why the record does not count; nil if it does.
    /// - Parameter range: holds digits, three or a `0`.
    static func reason(_ text: Span<UInt8>, _ range: Range<Int>) -> FilterReason? {
        switch text.number(at: range.lowerBound, digits: range.count) {
        case .some(200..<400): nil
        case 404: .trackingDisabled
        default: .httpError
        }
    }
}
