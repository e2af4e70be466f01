/// What a publishing is to do about old log dates.
package struct Closing: Equatable, Sendable {
    /// The last log date to close; nil to close no more. A lower one than the record has changes nothing.
    package var through: Int32?
    /// The first log date that is loaded, if all that has files between it and the recorded first one is loaded; nil to leave the
    /// recorded one.
    package var first: Int32?
    /// Log dates that it passes although they need something.
    package var skipped: Set<Int32>
    /// Held-back loads of later log dates are erased; nil to leave them.
    package var today: Int32?
    /// What was done before the publishing, by tasks; nil if nothing was.
    var done: ClosingResult?

    package init(through: Int32? = nil, first: Int32? = nil, skipped: Set<Int32> = [], today: Int32? = nil) {
        self.through = through
        self.first = first
        self.skipped = skipped
        self.today = today
    }
}
