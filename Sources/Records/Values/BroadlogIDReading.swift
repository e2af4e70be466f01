import Hashing

/// One way to read a message id that a person enters. People copy ids from URLs and from payloads, and the same text
/// can mean different messages there. In a URL `d1685a5` is message 1685a5, because an id begins with a type letter. In
/// a JSON string it is message d1685a5.
package struct BroadlogIDReading: Equatable, Sendable {
    /// Where the text could come from.
    package enum Form: Sendable {
        /// The first part of a collector's `id`, or the whole `id`.
        case url
        /// A JSON string.
        case jsonText
        /// A JSON integer.
        case jsonInteger
    }

    package let form: Form
    package let id: BroadlogID

    /// All readings of a text with different ids; empty if the text is not an id in any form.
    package static func all(of text: String) -> [BroadlogIDReading] {
        let bytes = Array(text.utf8)
        let span = bytes.span
        let whole = span.trimmed(0..<span.count)
        let candidates: [(Form, BroadlogID?)] = [
            (.url, url(span, whole)), (.jsonText, BroadlogID(json: span, whole)),
            (.jsonInteger, integer(span, whole)),
        ]
        var readings: [BroadlogIDReading] = []
        for case (let form, let id?) in candidates where !readings.contains(where: { $0.id == id }) {
            readings.append(BroadlogIDReading(form: form, id: id))
        }
        return readings
    }

    /// `h1685a5`, `h1685a5,d57fd6,7` or `h1685a5%2Cd57fd6%2C7`.
    private static func url(_ text: Span<UInt8>, _ range: Range<Int>) -> BroadlogID? {
        var decoded: [UInt8] = []
        PercentCoding.appendQuery(text, range, to: &decoded)
        let span = decoded.span
        let end = span.firstIndex(of: UInt8(ascii: ","), from: 0) ?? span.count
        return BroadlogID(url: span, span.trimmed(0..<end))
    }

    /// A JSON integer has no leading zeros.
    private static func integer(_ text: Span<UInt8>, _ range: Range<Int>) -> BroadlogID? {
        guard let first = range.first, text[first] != UInt8(ascii: "0") else { return nil }
        return BroadlogID(integer: text, range)
    }
}

extension BroadlogID: CustomStringConvertible {
    /// The normal form: `1685a5` or `6b6499a8-9d43-4bc5-acf0-b6aeb96846f6`. The text of an opaque id is not known.
    package var description: String {
        switch kind {
        case .hex: return String(id.low, radix: 16)
        case .uuid:
            var digits = id.high.hexDigits + id.low.hexDigits
            for offset in [20, 16, 12, 8] {
                digits.insert("-", at: digits.index(digits.startIndex, offsetBy: offset))
            }
            return digits
        case .opaque: return "opaque"
        }
    }
}
