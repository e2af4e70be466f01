/// Reads the bodies of a users_track source in the layout `body`: JSON objects in a row, whatever their lines.
package struct BodyReader {
    let rules: RecordRules

    package init(_ rules: RecordRules) {
        self.rules = rules
    }

    /// Reads every body that ends in `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: what earlier calls left, with the next bytes of the file behind it.
    ///   - atEnd: the file ends with `bytes`; an unfinished body is a fault then. Of a truncated file this is never
    ///     said: what is unfinished does not count.
    /// - Returns: how many bytes are done with; the rest is to be handed in again.
    package mutating func read(_ bytes: Span<UInt8>, atEnd: Bool, into sink: inout some RecordSink) -> Int {
        bytes.count
    }
}
