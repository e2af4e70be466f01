package enum LayoutError: Error, Equatable, Sendable {
    /// Neither a layout's name nor a log format.
    case unknown(String)
    /// A `$` that begins no variable's name; its offset in bytes.
    case strayDollar(Int)
    /// Two variables with nothing between them, so that nobody can tell where the first one ends.
    case adjacentVariables(String, String)
    /// `\n` or `\r` in a log format: a record of several lines.
    case lineBreak
}
