/// Why a record is invalid.
package enum RejectReason: UInt8, CaseIterable, Sendable {
    case lineTooLong
    /// The line does not fit its layout, or its body is not a valid form.
    case malformedLine
    /// The line holds a second hit, because the line end between them is missing or foreign.
    case joinedLines
    case malformedID
    /// A part of a collector's `id` is empty.
    case emptyID
    /// The pipeline does not name the code of a collector's action.
    case unknownAction
    case badTime
    case noBody
    /// The payload does not begin with `{`.
    case notJSON
    case badJSON
    /// The body has none of the arrays of users_track, or one of them is not an array.
    case notUsersTrack
    case missingAction
    /// The tracking value is neither `on` nor `off`.
    case badTracking
    case missingID

    /// The name in the databases.
    package var code: String {
        switch self {
        case .lineTooLong: "line_too_long"
        case .malformedLine: "malformed_line"
        case .joinedLines: "joined_lines"
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
