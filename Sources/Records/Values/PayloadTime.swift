/// A time in a payload.
enum PayloadTime {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    case instant(Int64)
    /// Without an offset it is in a zone that the payload does not tell.
    case civil(CivilTime)

    /// Parses the digits of a JSON number; nil if they are no time.
    init?(number text: Span<UInt8>, in range: Range<Int>, exponent: Bool = true) {
        if range.count == 14, let time = CivilTime(digits: text, in: range) {
            self = .civil(time)
        } else if let time = EpochTime.payloadTime(text, in: range, exponent: exponent) {
            self = .instant(time)
        } else {
            return nil
        }
    }

    /// Parses the content of a JSON string; nil if it is no time.
    init?(text: Span<UInt8>, in range: Range<Int>) {
        if let time = CivilTime(iso: text, in: range, dateAlone: true) {
            self = .civil(time)
        } else {
            self.init(number: text, in: range, exponent: false)
        }
    }
}
