/// A row of `days`.
package struct PublishedDay: Equatable, Sendable {
    /// Days since 1970-01-01.
    package var day: Int32
    package var events: Int
    package var messages: Int
    package var isFinal: Bool
}
