/// How far the best layout came with the first line that seems to hold a hit, where none fits.
package struct NearMiss: Sendable {
    /// From 1.
    package let line: Int
    /// What the line lacks, such as a time; nil if it lacks nothing.
    package var lack: String?
    /// In the words of a reject's detail, or the layout and why its record does not count.
    package var reason = ""
    package let isJSON: Bool
}
