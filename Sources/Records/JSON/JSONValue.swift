/// The value at a path: its kind and its byte range.
struct JSONValue: Equatable {
    enum Kind: UInt8 {
        /// The path does not exist.
        case missing
        case null
        /// A string without escapes.
        case string
        /// A string with escapes.
        case escapedString
        /// A number without `.`, `e` and `E`.
        case integer
        case decimal
        case boolean
        case object
        case array
    }

    var kind = Kind.missing
    /// The byte range of the value; for a string, without its quotes.
    var start = 0
    var end = 0

    @inline(__always)
    var range: Range<Int> { start..<end }
    @inline(__always)
    var isString: Bool { kind == .string || kind == .escapedString }
    /// Whether the value is missing or null.
    @inline(__always)
    var isAbsent: Bool { kind == .missing || kind == .null }
}
