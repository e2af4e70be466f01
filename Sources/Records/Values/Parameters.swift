/// The parameters of a query or a form, `name=value&name=value`.
struct Parameters {
    private var next: Int
    private let end: Int

    init(_ range: Range<Int>) {
        next = range.lowerBound
        end = range.upperBound
    }

    /// The ranges of the next name and value. A name without `=` has an empty value.
    mutating func next(_ text: Span<UInt8>) -> (name: Range<Int>, value: Range<Int>)? {
        guard next < end else { return nil }
        let start = next
        let stop = text.firstIndex(of: UInt8(ascii: "&"), from: start, to: end) ?? end
        next = stop + 1
        let equals = text.firstIndex(of: UInt8(ascii: "="), from: start, to: stop) ?? stop
        return (start..<equals, min(equals + 1, stop)..<stop)
    }
}
