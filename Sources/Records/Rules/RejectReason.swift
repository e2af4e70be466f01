/// Why a record cannot be read.
package enum RejectReason: UInt8, CaseIterable, Sendable {
    case lineTooLong, malformedLine, malformedID, emptyID, unknownAction, badTime, noBody, notJSON, badJSON
    case notUsersTrack, missingAction, badTracking, missingID

    /// The reason's name in the databases.
    package var code: String {
        switch self {
        case .lineTooLong: "line_too_long"
        case .malformedLine: "malformed_line"
        case .malformedID: "malformed_id"
        case .emptyID: "empty_id"
        case .unknownAction: "unknown_action"
        case .badTime: "bad_time"
        case .noBody: "no_body"
        case .notJSON: "not_json"
        case .badJSON: "bad_json"
        case .notUsersTrack: "not_users_track"
        case .missingAction: "missing_action"
        case .badTracking: "bad_tracking"
        case .missingID: "missing_id"
        }
    }
}
