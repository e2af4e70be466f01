import Events

/// What an accepted record says, its delivery id aside.
package struct Record: Equatable, Sendable {
    package var id: EventID
    package var kind: Section.Kind
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var time: Int64
    /// The index that `RecordRules.actions` gives to the action.
    package var action: UInt16
    package var platform: Platform
    /// Whether the platform was looked for in a user agent, and there was one.
    package var hasUserAgent: Bool
    /// The payload's time was implausible, and another one counts in its place.
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
