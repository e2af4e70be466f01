import Calendar

/// The log dates from a first one to a last one; nil is no limit.
package struct DateRange: Sendable {
    package let from: LogDate?
    package let to: LogDate?

    package init(from: LogDate? = nil, to: LogDate? = nil) {
        self.from = from
        self.to = to
    }

    package func contains(_ date: LogDate) -> Bool {
        from.map { $0 <= date } ?? true && to.map { date <= $0 } ?? true
    }
}
