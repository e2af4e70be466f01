import Events
import Foundation

/// Where each value lies in a payload (mzip) or in an element of `events` (users_track): the keys on the way to it.
package struct FieldPaths: Equatable, Sendable {
    package var broadlogID: [String]
    package var deliveryID: [String]
    package var action: [String]
    package var time: [String]
    package var platform: [String]?
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

    /// What the iOS notification extension sends.
    package static let mzip = FieldPaths(
        broadlogID: ["log_content", "data", "_mId"], deliveryID: ["log_content", "data", "_dId"],
        action: ["log_content", "type"], time: ["log_content", "time"],
        tracking: ["log_content", "data", "_acsDeliveryTracking"])

    /// Within an element of `events`.
    package static let usersTrack = FieldPaths(
        broadlogID: ["properties", "broadlogId"], deliveryID: ["properties", "deliveryId"], action: ["name"],
        time: ["time"], platform: ["properties", "platform"], tracking: ["properties", "_acsDeliveryTracking"])
}
