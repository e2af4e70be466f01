import CVectors
import Events

/// One way to read a message id that a person enters. People copy ids from URLs and from payloads, and the same text
/// can mean different messages there. In a URL `d1685a5` is message 1685a5, because an id begins with a type letter. In
/// a JSON string it is message d1685a5.
package struct BroadlogIDReading: Equatable, Sendable {
    /// Where the text could come from.
    package enum Form: String, Sendable {
        /// The first part of a collector's `id`, or the whole `id`.
        case url
        /// A JSON string.
        case jsonText = "json_text"
        /// A JSON integer.
        case jsonInteger = "json_integer"
        /// The values that make an opaque id together, with commas between.
        case values
    }

    package let form: Form
    package let id: BroadlogID

    /// All readings of a text with different ids; empty if the text is not an id in any form.
    /// - Parameter valueCounts: of how many values an id may be made.
    package static func all(of text: String, valueCounts: Set<Int> = []) -> [BroadlogIDReading] {
        let bytes = Array(text.utf8)
        let span = bytes.span
        let whole = span.trimmed(0..<span.count)
        let commas = whole.filter { span[$0] == UInt8(ascii: ",") }
        let candidates: [(Form, BroadlogID?)] =
            [
                (.url, url(span, in: whole)), (.jsonText, BroadlogID(json: span, in: whole)),
                (.jsonInteger, integer(span, in: whole)),
            ]
            + valueCounts.sorted().flatMap {
                values(span, in: whole, commas: commas[...], count: $0).map { (.values, $0) }
            }
        var readings: [BroadlogIDReading] = []
        for case (let form, let id?) in candidates where !readings.contains(where: { $0.id == id }) {
            readings.append(BroadlogIDReading(form: form, id: id))
        }
        return readings
    }

    /// `h1685a5`, `h1685a5,d57fd6,7` or `h1685a5%2Cd57fd6%2C7`.
    private static func url(_ text: Span<UInt8>, in range: Range<Int>) -> BroadlogID? {
        var decoded: [UInt8] = []
        PercentCoding.appendQuery(text, in: range, to: &decoded)
        let span = decoded.span
        let end = span.firstIndex(of: UInt8(ascii: ","), from: 0) ?? span.count
        return BroadlogID(url: span, in: span.trimmed(0..<end))
    }

    /// In how many ways a text can be cut at commas into so many values.
    package static func cuts(of text: String, into count: Int) -> Double {
        let commas = text.utf8.count { $0 == UInt8(ascii: ",") }
        return (1..<max(1, count)).reduce(1) { $0 * Double(commas - $1 + 1) / Double($1) }
    }

    /// The ids of a text that is values with commas between them. A value may have commas itself, so there is an id for
    /// each way to cut the text.
    /// - Parameters:
    ///   - commas: the offsets of the commas in the range.
    ///   - former: the values before the range, joined.
    private static func values(
        _ text: Span<UInt8>, in range: Range<Int>, commas: ArraySlice<Int>, count: Int, after former: [UInt8] = []
    ) -> [BroadlogID] {
        func append(_ part: Range<Int>) -> [UInt8]? {
            var joined = former
            return BroadlogID.append(part: text, in: text.trimmed(part), to: &joined) ? joined : nil
        }
        guard count > 1 else { return append(range).map { [BroadlogID(joined: $0.span)] } ?? [] }
        var ids: [BroadlogID] = []
        // Enough commas are left for the other values.
        for index in commas.indices.dropLast(count - 2) {
            let comma = commas[index]
            guard let joined = append(range.lowerBound..<comma) else { continue }
            ids += values(
                text, in: comma + 1..<range.upperBound, commas: commas[(index + 1)...], count: count - 1, after: joined)
        }
        return ids
    }

    /// A JSON integer has no leading zeros.
    private static func integer(_ text: Span<UInt8>, in range: Range<Int>) -> BroadlogID? {
        guard let first = range.first, text[first] != UInt8(ascii: "0") else { return nil }
        return BroadlogID(integer: text, in: range)
    }
}
