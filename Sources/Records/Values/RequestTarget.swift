/// The parts of a request's URI, `https://host:443//r/?id=h1685a5,d57fd6,7&mcId=…`, nothing decoded.
struct RequestTarget {
    /// Behind scheme, host and port, up to the first `?`.
    var path: Range<Int>
    /// Behind the first `?`; empty if there is none.
    var query: Range<Int>

    init(_ text: Span<UInt8>, _ uri: Range<Int>) {
        let end = uri.upperBound
        let pathEnd = text.firstIndex(of: UInt8(ascii: "?"), from: uri.lowerBound, to: end) ?? end
        var start = uri.lowerBound
        var index = start
        while index < pathEnd, Self.isOfScheme(text[index], first: index == start) { index += 1 }
        if index > start, index + 2 < pathEnd, text.holds(Self.schemeEnd, at: index) {
            start = text.firstIndex(of: UInt8(ascii: "/"), from: index + 3, to: pathEnd) ?? pathEnd
        }
        path = start..<pathEnd
        query = min(pathEnd + 1, end)..<end
    }

    private static let schemeEnd = ascii("://")

    private static func isOfScheme(_ byte: UInt8, first: Bool) -> Bool {
        if byte.isLetter { return true }
        guard !first else { return false }
        return byte.isDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    /// Whether the path is `expected`, which is collapsed; here repeated slashes count as one.
    func hasPath(_ expected: [UInt8], in text: Span<UInt8>) -> Bool {
        var place = 0
        var last = 0 as UInt8
        for index in path {
            let byte = text[index]
            defer { last = byte }
            if byte == UInt8(ascii: "/"), last == byte { continue }
            guard place < expected.count, expected[place] == byte else { return false }
            place += 1
        }
        return place == expected.count
    }

    /// A path from a pipeline file as `hasPath` wants it.
    static func collapsed(_ path: String) -> [UInt8] {
        let bytes = ascii(path)
        let text = bytes.span
        var output: [UInt8] = []
        for index in RequestTarget(text, 0..<text.count).path
        where text[index] != UInt8(ascii: "/") || output.last != UInt8(ascii: "/") {
            output.append(text[index])
        }
        return output
    }
}
