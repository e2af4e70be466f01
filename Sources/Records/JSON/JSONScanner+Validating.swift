/// Checks that a text is one JSON value by RFC 8259, in valid UTF-8, nested 64 deep at most.
package func validateJSON(_ text: Span<UInt8>) throws(JSONFault) {
    var scanner = JSONScanner(capturing: [])
    guard !scanner.scanDocument(text) else { return }
    let offset = scanner.faultOffset
    throw JSONFault(kind: scanner.fault, offset: offset, line: 1 + text.newlines(0..<min(offset, text.count)))
}

extension Span<UInt8> {
    /// How many LF bytes there are.
    func newlines(_ range: Range<Int>) -> Int {
        var number = 0
        var from = range.lowerBound
        while let newline = firstIndex(of: 0x0A, from: from, to: range.upperBound) {
            number += 1
            from = newline + 1
        }
        return number
    }
}
