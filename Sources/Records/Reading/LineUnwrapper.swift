/// Takes log lines out of JSON objects, such as those of Docker: the key `unwrap` of a pipeline file.
///
///     {"log":"192.0.2.1 - - [19/Nov/2026:10:00:00 +0000] \"GET /r/?id=…\n","stream":"stdout","time":"…"}
package struct LineUnwrapper {
    private var scanner: JSONScanner
    private var fields = LogFields()
    /// The range in `bytes` of the lines that have not been taken.
    private var rest = 0..<0

    /// - Parameter path: where the lines are in the object.
    package init(_ path: [String]) {
        scanner = JSONScanner(capturing: [path], checksUTF8: false, takesFirst: true)
    }

    /// The bytes in which the lines of the last object were found.
    package var bytes: Span<UInt8> { fields.bytes.span }

    /// Scans the object at the front of a text. `unwrap` must follow.
    mutating func scanFront(_ text: Span<UInt8>) -> JSONScanner.Front { scanner.scanFront(text) }

    /// Finds the text in the object that was scanned. Returns false if there is none.
    mutating func unwrapScanned(_ object: Span<UInt8>) -> Bool {
        guard scanner.value(0).isString else { return false }
        fields.begin(object)
        rest = fields.unescapeJSON(object, in: scanner.value(0).range)
        return true
    }

    /// Finds the text in the object at the front of a line. Returns the offset after the object; nil if there is no
    /// such text.
    package mutating func unwrap(_ line: Span<UInt8>) -> Int? {
        guard case .object(let end) = scanFront(line), unwrapScanned(line.extracting(0..<end)) else { return nil }
        return end
    }

    /// The range in `bytes` of the next line of the text, without its line end; nil after the last one.
    package mutating func nextLine() -> Range<Int>? {
        while !rest.isEmpty {
            let feed = bytes.firstIndex(of: 0x0A, from: rest.lowerBound, to: rest.upperBound) ?? rest.upperBound
            let end = feed > rest.lowerBound && bytes[feed - 1] == 0x0D ? feed - 1 : feed
            let line = rest.lowerBound..<end
            rest = min(feed + 1, rest.upperBound)..<rest.upperBound
            if !line.isEmpty { return line }
        }
        return nil
    }
}
