/// The parts of a request's URI, such as `https://host:443//r/?id=h1685a5,d57fd6,7&mcId=…`. They are not decoded.
struct RequestTarget {
    /// From the end of scheme, host and port to the first `?`.
    var path: Range<Int>
    /// After the first `?`; empty if there is none.
    var query: Range<Int>

    init(_ text: Span<UInt8>, in uri: Range<Int>) {
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

    /// Whether a byte is valid in a scheme, at its beginning or later.
    private static func isOfScheme(_ byte: UInt8, first: Bool) -> Bool {
        if byte.isLetter { return true }
        guard !first else { return false }
        return byte.isDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    /// Whether the path equals `expected`, which is `collapsed`. Repeated slashes in the path count as one.
    func hasPath(_ expected: [UInt8], in text: Span<UInt8>) -> Bool {
        assert(!expected.indices.dropFirst().contains { expected[$0] == 0x2F && expected[$0 - 1] == 0x2F })
        var matched = 0
        var last = 0 as UInt8
        for index in path {
            let byte = text[index]
            defer { last = byte }
            if byte == UInt8(ascii: "/"), last == byte { continue }
            guard matched < expected.count, expected[matched] == byte else { return false }
            matched += 1
        }
        return matched == expected.count
    }

    /// The path of a pipeline file in the form that `hasPath` needs: without scheme and host, and without repeated
    /// slashes.
    static func collapsed(_ path: String) -> [UInt8] {
        let bytes = ascii(path)
        let text = bytes.span
        var output: [UInt8] = []
        for index in RequestTarget(text, in: 0..<text.count).path
        where text[index] != UInt8(ascii: "/") || output.last != UInt8(ascii: "/") {
            output.append(text[index])
        }
        return output
    }
}
