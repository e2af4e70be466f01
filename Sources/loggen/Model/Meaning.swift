import Reference

/// What a record is to the ETL, by its reason.
enum Meaning: String, CaseIterable, Sendable {
    case accepted = ""
    case notTracking = "not_tracking"
    case link
    case notPush = "not_push"
    case trackingDisabled = "tracking_disabled"
    case httpError = "http_error"
    case notAnEvent = "not_an_event"
    case unmappedAction = "unmapped_action"
    case trackingOff = "tracking_off"
    case malformedLine = "malformed_line"
    case malformedID = "malformed_id"
    case emptyID = "empty_id"
    case unknownAction = "unknown_action"
    case badTime = "bad_time"
    case lineTooLong = "line_too_long"
    case noBody = "no_body"
    case notJSON = "not_json"
    case badJSON = "bad_json"
    case notUsersTrack = "not_users_track"
    case missingAction = "missing_action"
    case badTracking = "bad_tracking"
    case missingID = "missing_id"

    /// Nil for a record that is accepted: its outcome has a hit.
    var outcome: Outcome? {
        switch self {
        case .accepted: nil
        case .notTracking, .link, .notPush, .trackingDisabled, .httpError, .notAnEvent, .unmappedAction, .trackingOff:
            .filtered(rawValue)
        default: .rejected(rawValue)
        }
    }
}
