/// A part of a request that a layout can read from a line.
package enum LayoutField: Sendable {
    /// The request, whole or as method and URI.
    case request
    /// The time of receipt.
    case time
    case body
}
