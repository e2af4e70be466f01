import Events
import Foundation

/// What a source's pipeline entry and the log date say about reading its records.
package struct RecordRules: Sendable {
    package enum Format: Equatable, Sendable {
        case collector(requireMcid: Bool)
        case mzip
        case usersTrack
    }

    package var format: Format
    package var layout: Layout
    /// The code or name on the wire → the action's index.
    package var actions: [String: UInt16]
    /// The pipeline's zone, for times of the layout without an offset.
    package var zone: TimeZone
    package var window: LogWindow
    /// The path of the requests that carry a payload; unused for collectors and for the layout `body`.
    package var path: String
    /// The platform of records that do not say theirs; unused for collectors.
    package var platform: Platform?
    /// Where the values lie in a payload; unused for collectors.
    package var fields: FieldPaths

    package init(
        format: Format, layout: Layout, actions: [String: UInt16], zone: TimeZone, window: LogWindow,
        path: String = "", platform: Platform? = nil, fields: FieldPaths = FieldPaths()
    ) {
        self.format = format
        self.layout = layout
        self.actions = actions
        self.zone = zone
        self.window = window
        self.path = path
        self.platform = platform
        self.fields = fields
    }
}

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

/// The times that a payload may claim: from `days` · 24 h before `start` to 24 h after `end`, that moment excluded.
package struct LogWindow: Equatable, Sendable {
    /// 00:00 of the log date in the pipeline's zone, in milliseconds since 1970-01-01T00:00:00Z.
    package var start: Int64
    /// 00:00 of the day after.
    package var end: Int64
    /// The pipeline's `window_days`.
    package var days: Int

    package init(start: Int64, end: Int64, days: Int) {
        self.start = start
        self.end = end
        self.days = days
    }

    func holds(_ time: Int64) -> Bool {
        time >= start - Int64(days) * 86_400_000 && time < end + 86_400_000
    }
}
