/// The HTTP status of a record.
enum HTTPStatus {
    /// Whether this is valid as a status in a log: three digits, `0` (the client closed the connection), `-` or
    /// nothing.
    static func fits(_ text: Span<UInt8>, in range: Range<Int>) -> Bool {
        switch range.count {
        case 0: true
        case 1: text[range.lowerBound] == UInt8(ascii: "-") || text[range.lowerBound] == UInt8(ascii: "0")
        case 3: text.number(at: range.lowerBound, digits: 3) != nil
        default: false
        }
    }

    /// The offset at which an invalid status differs from three digits.
    static func misfit(of line: Span<UInt8>, in range: Range<Int>) -> Misfit {
        let digits = range.prefix(3).prefix { line[$0].isDigit }.count
        return Misfit("a status of three digits", at: range.lowerBound + digits)
    }

    /// Why a record with this status does not count; nil if it does.
    /// - Parameter range: three digits or a `0`.
    static func reason(_ text: Span<UInt8>, in range: Range<Int>) -> FilterReason? {
        assert(fits(text, in: range))
        return switch text.number(at: range.lowerBound, digits: range.count) {
        case .some(200..<400): nil
        case 404: .trackingDisabled
        default: .httpError
        }
    }
}
