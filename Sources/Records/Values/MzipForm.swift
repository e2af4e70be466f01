/// A form with its payload in the field `mzip`: `mzip=%7B…%7D`, possibly among other fields, or the value alone if
/// there is no `=`.
enum MzipForm {
    private static let name = ascii("mzip")
    private static let field = ascii("mzip=")

    /// The range of the encoded payload; nil if there is no such field.
    @inline(__always)
    static func value(_ text: Span<UInt8>, in form: Range<Int>) -> Range<Int>? {
        if form.count >= field.count, text.holds(field, at: form.lowerBound) {
            // The usual form. The loop below would find the same.
            let start = form.lowerBound + field.count
            return start..<(text.firstIndex(of: UInt8(ascii: "&"), from: start, to: form.upperBound) ?? form.upperBound)
        }
        guard text.firstIndex(of: UInt8(ascii: "="), from: form.lowerBound, to: form.upperBound) != nil else {
            return form
        }
        var parameters = Parameters(form)
        while let (name, value) = parameters.next(text) {
            if text.extracting(name).equals(Self.name) { return value }
        }
        return nil
    }
}
