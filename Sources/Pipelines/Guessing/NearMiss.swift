/// How far the best layout came with the first line that seems to hold a hit, where none fits.
package struct NearMiss: Sendable {
    /// From 1.
    package let line: Int
    /// In the words of a reject's detail, or the layout and why its record does not count.
    package let reason: String
    package let isJSON: Bool
}
