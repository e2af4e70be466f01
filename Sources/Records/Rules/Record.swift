import Events

/// An accepted record without its delivery id.
package struct Record: Equatable, Sendable {
    package var id: EventID
    package var kind: Section.Kind
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var time: Int64
    /// The index of the action in `RecordRules.actions`.
    package var action: UInt16
    package var platform: Platform
    /// Whether the platform was looked up in a user agent, which is not missing.
    package var hasUserAgent = false
    /// Whether the payload's time was implausible. It was replaced by the time of the log line or, if there is none, by
    /// the start of the log date.
    package var clockFallback = false
}
