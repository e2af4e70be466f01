import Calendar
import Messages

/// What a load has made of a log date's files.
struct LoadedContent: Sendable {
    /// Events of the partition, before it is compared with others.
    let events: Int
    /// The days on which it has events, in order.
    let days: [LogDate]
    /// What looks wrong with these events.
    let warnings: [Message]
    /// The version of the partition that stood before, if it was made from the same files.
    let versionOfSameFiles: String?
    /// Whether a partition with this content was installed already.
    var isUnchanged = false
}
