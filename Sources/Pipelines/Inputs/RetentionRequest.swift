import Calendar

/// What a command was asked to do about old log dates.
package struct RetentionRequest: Equatable, Sendable {
    /// Whether more than a few log dates may be closed at once.
    package var isSettling = false
    /// A log date that is given up: it is passed although it needs something, or its figures are, if they cannot be read.
    package var givenUp: LogDate?

    package init(isSettling: Bool = false, givenUp: LogDate? = nil) {
        self.isSettling = isSettling
        self.givenUp = givenUp
    }

    var isGiven: Bool { self != RetentionRequest() }
}
