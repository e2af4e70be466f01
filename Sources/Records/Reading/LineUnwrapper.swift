/// Takes log lines out of JSON objects, such as those of Docker: the key `unwrap` of a pipeline file.
///
///     {"log":"192.0.2.1 - - [19/Nov/2026:10:00:00 +0000] \"GET /r/?id=…\n","stream":"stdout","time":"…"}
package struct LineUnwrapper {
    private var scanner: JSONScanner
    private var fields = LogFields()

    /// - Parameter path: where the line is in the object.
    package init(_ path: [String]) {
        scanner = JSONScanner(capturing: [path], checksUTF8: false)
    }

    /// The bytes in which the last line was found.
    package var bytes: Span<UInt8> { fields.bytes.span }

    /// The range of the line in `bytes`, without its line end; nil if there is no such text in `object`.
    package mutating func unwrap(_ object: Span<UInt8>) -> Range<Int>? {
        guard scanner.scanDocument(object), scanner.root.kind == .object, scanner.value(0).isString else { return nil }
        fields.begin(object)
        let range = fields.unescapeJSON(object, scanner.value(0).range)
        var end = range.upperBound
        if end > range.lowerBound, fields.bytes[end - 1] == 0x0A { end -= 1 }
        if end > range.lowerBound, fields.bytes[end - 1] == 0x0D { end -= 1 }
        return range.lowerBound..<end
    }
}
