import Calendar
import Messages
import Partitions

package struct Publication: Sendable {
    /// Whether figures, or facts about them, were written.
    package var isChanged: Bool
    /// The log dates of the published partitions, sorted.
    package var logDates: [LogDate]
    /// Why some partitions were left out.
    package var damaged: [OutputError] = []
    /// Log dates that were published until now, and whose partitions are gone. Sorted.
    var vanished: [LogDate] = []
    /// Deliveries with more messages sent or arrived than the delivery files say were sent, among those that were
    /// written.
    package var understated: [UnderstatedDelivery] = []
    /// The message that push.db was not as the last command left it; nil if it was.
    package var repair: Message?
    /// What was closed, settled and erased; nil if this was not asked for.
    package var closing: ClosingResult?

    /// The message that the partitions of published log dates are gone; nil if there are none.
    package var goneMessage: Message? {
        guard let first = vanished.first, let last = vanished.last else { return nil }
        if first == last {
            return Message(
                .partitionGone,
                text: """
                    \(first): its partition is gone; push.db lacks that log date until the file is put back, or \
                    \(command: "run --date \(first)") loads it again
                    """, logDate: first)
        }
        return Message(
            .partitionGone,
            text: """
                \(first) to \(last): \(vanished.count) partitions are gone; push.db lacks those log dates until the files are put \
                back, or \(command: "backfill --from \(first) --to \(last)") loads them again
                """)
    }
}
