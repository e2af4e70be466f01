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
    /// The object lacks the array of events that the pipeline names, or it is not an array.
    case notEvents
    case missingAction
    /// The tracking value is neither `on` nor `off`.
    case badTracking
    case missingID

    /// The name in the databases, and what people read beside it.
    private var entry: (code: String, meaning: String) {
        switch self {
        case .lineTooLong: ("line_too_long", "a line over 1 MiB, or a JSON object over 8 MiB")
        case .malformedLine: ("malformed_line", "the line does not fit its layout")
        case .joinedLines: ("joined_lines", "a line that holds a second hit")
        case .malformedID: ("malformed_id", "an id is not of its form")
        case .emptyID: ("empty_id", "a part of the id is empty")
        case .unknownAction: ("unknown_action", "an action code that the pipeline does not name")
        case .badTime: ("bad_time", "no time that can be read")
        case .noBody: ("no_body", "a request without a body")
        case .notJSON: ("not_json", "a value that is not JSON, such as an encrypted one")
        case .badJSON: ("bad_json", "invalid JSON")
        case .notUsersTrack: ("not_users_track", "JSON that is not a body of /users/track")
        case .notEvents: ("not_events", "JSON without the array of events that the pipeline names")
        case .missingAction: ("missing_action", "no action")
        case .badTracking: ("bad_tracking", "a tracking value other than on and off")
        case .missingID: ("missing_id", "no broadlog id or no delivery id")
        }
    }

    package var code: String { entry.code }
    package var meaning: String { entry.meaning }
}
