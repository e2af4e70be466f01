/// Why a well-formed record does not count.
package enum FilterReason: UInt8, CaseIterable, Sendable {
    case notTracking, link, notPush, trackingDisabled, httpError, notAnEvent, unmappedAction, trackingOff

    /// The reason's name in the databases.
    package var code: String {
        switch self {
        case .notTracking: "not_tracking"
        case .link: "link"
        case .notPush: "not_push"
        case .trackingDisabled: "tracking_disabled"
        case .httpError: "http_error"
        case .notAnEvent: "not_an_event"
        case .unmappedAction: "unmapped_action"
        case .trackingOff: "tracking_off"
        }
    }
}
