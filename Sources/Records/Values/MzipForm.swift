/// A form that has its payload in the field `mzip`: `mzip=%7B…%7D`, perhaps among other fields, or the bare value where
/// nothing has a name.
enum MzipForm {
    private static let name = ascii("mzip")
    private static let field = ascii("mzip=")

    /// Where the payload lies, still encoded; nil if there is no field of that name.
    @inline(__always)
    static func value(_ text: Span<UInt8>, _ form: Range<Int>) -> Range<Int>? {
        if form.count >= field.count, text.holds(field, at: form.lowerBound) {
            // As everybody writes it; the loop below finds the same.
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
