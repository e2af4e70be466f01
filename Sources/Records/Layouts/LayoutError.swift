/// An error in the value of the key `layout`.
package enum LayoutError: Error, Equatable, Sendable {
    /// The text is neither the name of a layout nor a log format.
    case unknown(String)
    /// A `$` without the name of a variable, at this byte offset.
    case strayDollar(Int)
    /// Two variables have no text between them, so the end of the first one is unknown.
    case adjacentVariables(String, String)
    /// A log format contains `\n` or `\r`, so a record would have several lines.
    case lineBreak
}
