/// A row of `days`.
package struct PublishedDay: Equatable, Sendable {
    /// Days since 1970-01-01.
    package var day: Int32
    /// Events that count.
    package var events: Int
    /// Messages that were first seen on the day.
    package var messages: Int
    /// See Counting, "Final days".
    package var isFinal: Bool
}
