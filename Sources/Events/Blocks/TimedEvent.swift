/// An event without its id and its number of records.
package struct TimedEvent: Sendable {
    /// The index of the event in its block.
    package var place: Int
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var time: Int64
    package var delivery: UInt32
    package var source: UInt16
    package var action: UInt16
    package var platform: Platform
}
