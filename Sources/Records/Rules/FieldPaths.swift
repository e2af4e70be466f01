import Events
import Foundation

/// The paths of the values in a payload (mzip) or in an element of `events` (users_track). A path is a list of keys.
package struct FieldPaths: Equatable, Sendable {
    package var broadlogID: [String]
    package var deliveryID: [String]
    package var action: [String]
    package var time: [String]
    /// Nil if payloads do not name their platform.
    package var platform: [String]?
    /// The value says whether tracking is on or off.
    package var tracking: [String]

    package init(
        broadlogID: [String] = [], deliveryID: [String] = [], action: [String] = [], time: [String] = [],
        platform: [String]? = nil, tracking: [String] = []
    ) {
        self.broadlogID = broadlogID
        self.deliveryID = deliveryID
        self.action = action
        self.time = time
        self.platform = platform
        self.tracking = tracking
    }

    /// The payloads of the iOS notification extension.
    package static let mzip = FieldPaths(
        broadlogID: ["log_content", "data", "_mId"], deliveryID: ["log_content", "data", "_dId"],
        action: ["log_content", "type"], time: ["log_content", "time"],
        tracking: ["log_content", "data", "_acsDeliveryTracking"])

    /// The elements of `events` in Braze's `/users/track`.
    package static let usersTrack = FieldPaths(
        broadlogID: ["properties", "broadlogId"], deliveryID: ["properties", "deliveryId"], action: ["name"],
        time: ["time"], platform: ["properties", "platform"], tracking: ["properties", "_acsDeliveryTracking"])
}
