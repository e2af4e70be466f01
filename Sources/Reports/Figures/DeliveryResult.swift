/// A delivery with messages in the period.
struct DeliveryResult {
    struct Counts {
        var messages = 0
        var impressed = 0
        var clicked = 0
        var opened = 0

        /// Opened of messages.
        var openRate: Double? { messages > 0 ? Double(opened) / Double(messages) : nil }
    }

    let id: String
    let label: String?
    let isInFile: Bool
    /// Messages sent; nil if no file says so, or if the delivery began before the period.
    let sent: Int?
    let now: Counts
    /// The counts of the compared period.
    let before: Counts?

    /// Opened of sent, where that is known.
    var openRateOfSent: Double? { sent.flatMap { $0 > 0 ? Double(now.opened) / Double($0) : nil } }

    /// The name that people know, else the id.
    var name: String { label ?? id }
}
