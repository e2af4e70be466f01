import Calendar
import Messages
import Partitions

/// What a publishing has done about old log dates, or would do.
package struct ClosingResult: Equatable, Sendable {
    /// The last closed log date; nil if there is none.
    package internal(set) var through: LogDate?
    /// How many were closed just now, loaded or not.
    package internal(set) var closed = 0
    /// In order, like `erased`.
    package internal(set) var settled: [LogDate] = []
    /// The log dates whose ids were erased.
    package internal(set) var erased: [LogDate] = []
    /// A log date with a partition that is damaged or gone, so that those within reach do not settle; nil if there is none.
    package internal(set) var hindrance: LogDate?
    /// Why files could not be removed.
    package internal(set) var failure: Message?

    package init() {}

    /// That log dates in reach of the hindrance do not settle.
    package func hindranceMessage(windowDays: Int) -> Message? {
        hindrance.map { date in
            let first = date.adding(days: -2 * windowDays)
            let last = date.adding(days: 2 * windowDays)
            return Message(
                .idsStay,
                text: """
                    ids of \(first) to \(last) stay: the partition of \(date) is damaged or gone; put it back from a backup, load \
                    it again from the same files, or give its figures up with 'pushetl backfill --give-up \(date)'
                    """, logDate: date)
        }
    }

    /// - Parameter before: nil if no log date was closed.
    init(_ closed: ClosedDates, since before: ClosedDates?) {
        guard let last = closed.through else { return }
        through = last
        self.closed = max(0, last.days(since: before?.through ?? closed.first.adding(days: -1)))
    }
}

extension ClosingResult: Encodable {
    /// What went wrong is told by messages.
    private enum CodingKeys: String, CodingKey {
        case closed, settled, erased
        case through = "closedThrough"
    }
}
