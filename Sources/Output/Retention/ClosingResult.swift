import Calendar
import Messages
import Partitions

/// What a publishing has done, or would do, about old log dates.
package struct ClosingResult: Equatable, Sendable {
    /// The last closed log date; nil if there is none.
    package internal(set) var through: LogDate?
    /// The number of log dates that were closed just now, whether loaded or not.
    package internal(set) var closed = 0
    /// In order, like `erased`.
    package internal(set) var settled: [LogDate] = []
    /// The log dates whose ids were erased.
    package internal(set) var erased: [LogDate] = []
    /// A log date whose partition is damaged or gone. Log dates within its reach do not settle. Nil if there is none.
    package internal(set) var hindrance: LogDate?
    /// Why files could not be removed.
    package internal(set) var failure: Message?

    package init() {}

    /// The message that log dates within reach of the hindrance do not settle; nil if there is no hindrance.
    package func hindranceMessage(windowDays: Int) -> Message? {
        hindrance.map { date in
            let first = date.adding(days: -2 * windowDays)
            let last = date.adding(days: 2 * windowDays)
            return Message(
                .idsStay,
                text: """
                    ids of \(first) to \(last) stay: the partition of \(date) is damaged or gone; put it back from a backup, load \
                    it again from the same files, or give its figures up with \(command: "backfill --give-up \(date)")
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
    /// The hindrance and the failure are told by messages, not here.
    private enum CodingKeys: String, CodingKey {
        case closed, settled, erased
        case through = "closedThrough"
    }
}
