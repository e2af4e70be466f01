import Calendar

/// What a command was asked to do about old log dates.
package struct RetentionRequest: Equatable, Sendable {
    /// Whether more than a few log dates may be closed at once.
    package var isSettling = false
    /// A log date to give up. If it is not closed, it may be closed although it needs something. If it is closed and
    /// its figures cannot be read, they are dropped.
    package var givenUp: LogDate?

    package init(givenUp: LogDate? = nil) {
        self.givenUp = givenUp
    }

    var isGiven: Bool { self != RetentionRequest() }
}
