import Events
import Records

/// What a record of a sample becomes.
package struct PreviewRecord: Sendable {
    package enum Outcome: Sendable {
        case accepted(Hit)
        case filtered(FilterReason)
        case rejected(RejectReason, detail: String)
    }

    package struct Hit: Sendable {
        /// Milliseconds since 1970-01-01T00:00:00Z.
        package let time: Int64
        /// Whether the payload's time was implausible, so that `time` is another one.
        package let clockFallback: Bool
        package let id: BroadlogID
        package let delivery: String
        package let action: String
        package let platform: Platform
    }

    /// From 1 in the unpacked file. For a body of users_track the line where it begins.
    package let line: Int
    package let outcome: Outcome
}
