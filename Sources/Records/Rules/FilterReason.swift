/// Why a valid record does not count.
package enum FilterReason: UInt8, CaseIterable, Sendable {
    /// The request is not a tracking request.
    case notTracking
    /// A tracked link: the last part of `id` is not an action's code.
    case link
    /// A required `mcId` is missing, or a value that an event must have.
    case notPush
    /// The HTTP status is 404.
    case trackingDisabled
    /// The HTTP status is neither 200 to 399 nor 404.
    case httpError
    /// An element of `purchases` or `attributes` in users_track.
    case notAnEvent
    /// The pipeline does not name the payload's action.
    case unmappedAction
    /// The payload says that tracking is off.
    case trackingOff
    /// The line does not fit its layout, and holds a text that the pipeline names for such lines.
    case skipped
    /// The time of an action lies outside the plausible ones, in an event that has a time for each action.
    case outOfWindow

    /// The name in the databases.
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
        case .skipped: "skipped"
        case .outOfWindow: "out_of_window"
        }
    }
}
