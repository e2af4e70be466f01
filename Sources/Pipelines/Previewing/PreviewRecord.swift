import Partitions

/// What a record of a sample becomes.
package struct PreviewRecord: Encodable, Sendable {
    /// The line in the unpacked file, from 1. For a body of users_track, the line where it begins.
    package let line: Int
    package let outcome: OutcomeCount.Outcome
    /// The reason's code; empty for an accepted record.
    package var reason = ""
    /// For a reject, why the line does not fit.
    package var detail: String?

    // The values of an accepted record.

    /// In the pipeline's zone.
    package var time: String?
    /// Whether the payload's time was implausible, so that `time` comes from elsewhere.
    package var clockFallback: Bool?
    package var broadlogId: String?
    package var deliveryId: String?
    package var action: String?
    package var platform: String?
}
