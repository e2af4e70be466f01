import Calendar
import Messages

/// What a command was asked to do about old log dates.
package struct RetentionRequest: Equatable, Sendable {
    /// Whether more than a few log dates may be closed at once.
    package var isSettling = false
    /// A log date that is to be passed although it needs something.
    package var skipped: LogDate?
    /// A closed log date whose figures are to be given up.
    package var forgotten: LogDate?

    package init(isSettling: Bool = false, skipped: LogDate? = nil, forgotten: LogDate? = nil) {
        self.isSettling = isSettling
        self.skipped = skipped
        self.forgotten = forgotten
    }

    var isGiven: Bool { self != RetentionRequest() }
}

/// A request about an old log date that cannot be fulfilled.
package struct RetentionRequestError: MessageError {
    package let message: Message

    init(_ text: MessageText) {
        message = Message("usage", text)
    }
}
