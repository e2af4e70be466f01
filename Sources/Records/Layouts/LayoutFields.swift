/// The parts of a request that a layout can read from a line.
package struct LayoutFields: OptionSet, Sendable {
    /// The request, whole or as method and URI.
    package static let request = LayoutFields(rawValue: 1)
    /// The time of receipt.
    package static let time = LayoutFields(rawValue: 2)
    /// The request's body.
    package static let body = LayoutFields(rawValue: 4)

    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }
}
