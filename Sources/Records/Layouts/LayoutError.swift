/// An error in the value of the key `layout`.
package enum LayoutError: Error, Equatable, Sendable {
    /// The text is neither the name of a layout nor a log format.
    case unknown(String)
    /// A `$` without the name of a variable, at this byte offset.
    case strayDollar(Int)
    /// A `%` without a directive of Apache, at this byte offset.
    case strayPercent(Int)
    /// Two values have no text between them, so the end of the first one is unknown. They are named as in the format.
    case adjacentValues(String, String)
    /// The argument of a `%{…}t` has a conversion that is not known.
    case badTimeFormat(String)
    /// A `%{…}t` does not give the date and the time to the second.
    case incompleteTime
    /// A log format contains `\n` or `\r`, so a record would have several lines.
    case lineBreak
}
