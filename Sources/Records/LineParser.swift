/// Reads the records of a line-wise source.
package struct LineParser {
    let rules: RecordRules

    package init(_ rules: RecordRules) {
        self.rules = rules
    }

    /// - Parameters:
    ///   - line: without its terminator.
    ///   - number: 1-based.
    package mutating func parse(_ line: Span<UInt8>, number: Int, into sink: inout some RecordSink) {
    }
}
