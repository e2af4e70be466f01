/// What was found at the end of a path.
struct JSONValue: Equatable {
    enum Kind: UInt8 {
        /// There is no such key, or what should hold it is no object.
        case missing
        case null
        case string
        /// A string that holds escapes.
        case escapedString
        /// A number without `.`, `e` and `E`.
        case integer
        case decimal
        case boolean
        case object
        case array
    }

    var kind = Kind.missing
    /// Of a string, what stands between its quotes.
    var start = 0
    var end = 0

    @inline(__always)
    var range: Range<Int> { start..<end }
    @inline(__always)
    var isString: Bool { kind == .string || kind == .escapedString }
    @inline(__always)
    var isAbsent: Bool { kind == .missing || kind == .null }
}
