/// How a database is opened.
package struct Configuration: Sendable {
    package var isReadOnly: Bool
    /// Seconds to wait while other connections lock the database.
    package var busyTimeout: Double
    /// Asked before each further attempt, with the number of attempts that failed; it waits itself. False ends the
    /// attempts. Nil for the timeout.
    package var whenBusy: (@Sendable (Int) -> Bool)?

    package init(
        isReadOnly: Bool = false, busyTimeout: Double = 0, whenBusy: (@Sendable (Int) -> Bool)? = nil
    ) {
        self.isReadOnly = isReadOnly
        self.busyTimeout = busyTimeout
        self.whenBusy = whenBusy
    }
}
