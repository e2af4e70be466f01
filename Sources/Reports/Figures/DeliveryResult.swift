import Calendar

/// A delivery with messages in the period, or one that was sent in it and has none at all.
struct DeliveryResult {
    struct Counts {
        var messages = 0
        var clicked = 0
        var opened = 0

        /// Opened of messages.
        var openRate: Double? { messages > 0 ? Double(opened) / Double(messages) : nil }

        static func += (a: inout Counts, b: Counts) {
            a.messages += b.messages
            a.clicked += b.clicked
            a.opened += b.opened
        }
    }

    let id: String
    let label: String?
    let campaign: String?
    let variant: String?
    let isInFile: Bool
    /// The day of its first message; of a delivery without any, the day that it was sent on.
    let firstDay: LogDate?
    /// The day that it was sent on, if a file says so.
    let sentDay: LogDate?
    /// Nil if no file says so, or if the delivery began before the period. Then part of its messages is not in it.
    let sent: Int?
    let delivered: Int?
    /// Whether the log dates of its first day and of the day that it was sent on are complete. Of another delivery, part of
    /// its messages is not known, so that it is not compared.
    let isWithCompleteLogs: Bool
    let counts: Counts
    /// The counts on the days that are compared with another period.
    var comparedCounts = Counts()

    var day: LogDate? { sentDay ?? firstDay }

    /// Opened of sent, where that is known.
    var openRateOfSent: Double? { share(counts.opened) }
    /// Messages of sent, where that is known.
    var knownRate: Double? { share(counts.messages) }

    /// Sent or messages, whichever are more.
    var size: Int { max(sent ?? 0, counts.messages) }

    /// The name that people know, else the id.
    var name: String { label ?? id }

    private func share(_ count: Int) -> Double? { sent.flatMap { $0 > 0 ? Double(count) / Double($0) : nil } }
}
