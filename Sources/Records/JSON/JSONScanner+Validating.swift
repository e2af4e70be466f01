/// Checks that a text is one JSON value (RFC 8259) in valid UTF-8, nested at most 64 deep.
package func validateJSON(_ text: Span<UInt8>) throws(JSONFault) {
    var scanner = JSONScanner(capturing: [])
    guard !scanner.scanDocument(text) else { return }
    let offset = scanner.faultOffset
    throw JSONFault(kind: scanner.fault, offset: offset, line: 1 + text.newlines(0..<min(offset, text.count)))
}

extension Span<UInt8> {
    /// The number of LF bytes in a range.
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
