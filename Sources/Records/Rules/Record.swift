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
    /// Whether the platform was taken from a user agent.
    package var hasUserAgent: Bool
    /// Whether the payload's time was implausible and was replaced by the time of the log line.
    package var clockFallback: Bool

    package init(
        id: EventID, kind: Section.Kind, time: Int64, action: UInt16, platform: Platform, hasUserAgent: Bool = false,
        clockFallback: Bool = false
    ) {
        self.id = id
        self.kind = kind
        self.time = time
        self.action = action
        self.platform = platform
        self.hasUserAgent = hasUserAgent
        self.clockFallback = clockFallback
    }
}
