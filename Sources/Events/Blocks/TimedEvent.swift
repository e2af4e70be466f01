/// What an event says but for its id and its records.
package struct TimedEvent: Sendable {
    /// Where in its block it lies.
    package var place: Int
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var time: Int64
    package var delivery: UInt32
    package var source: UInt16
    package var action: UInt16
    package var platform: Platform
}
