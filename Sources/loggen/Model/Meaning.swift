/// What a record is to the ETL.
enum Meaning: Int, CaseIterable, Sendable {
    case accepted
    case notTracking, link, notPush, trackingDisabled, httpError, notAnEvent, unmappedAction, trackingOff
    case malformedLine, malformedID, emptyID, unknownAction, badTime, lineTooLong
    case noBody, notJSON, badJSON, notUsersTrack, missingAction, badTracking, missingID

    var outcome: String {
        switch self {
        case .accepted: "accepted"
        case .notTracking, .link, .notPush, .trackingDisabled, .httpError, .notAnEvent, .unmappedAction, .trackingOff:
            "filtered"
        default: "rejected"
        }
    }

    var reason: String {
        switch self {
        case .accepted: ""
        case .notTracking: "not_tracking"
        case .link: "link"
        case .notPush: "not_push"
        case .trackingDisabled: "tracking_disabled"
        case .httpError: "http_error"
        case .notAnEvent: "not_an_event"
        case .unmappedAction: "unmapped_action"
        case .trackingOff: "tracking_off"
        case .malformedLine: "malformed_line"
        case .malformedID: "malformed_id"
        case .emptyID: "empty_id"
        case .unknownAction: "unknown_action"
        case .badTime: "bad_time"
        case .lineTooLong: "line_too_long"
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

enum Platform: String, Sendable {
    case android, ios, unknown, web
}

/// An accepted record, as the truth keeps it.
struct Hit: Sendable {
    /// A letter for the form and the id in its one spelling: `x1685a5`, `u6b6499a8-…`, `oT-ab3a`.
    var message: String
    var action: String
    /// Milliseconds since 1970 in UTC.
    var time: Int
    /// The source's position in the pipeline file.
    var source: Int
    var delivery: String
    var platform: Platform
    var date: Day
}

/// What one file's records mean.
struct FileTruth: Sendable {
    let file: Plan.File
    /// Whether the accepted records are kept, or only counted.
    let keepsHits: Bool
    private(set) var counts = [Int](repeating: 0, count: Meaning.allCases.count)
    private(set) var clockFallbacks = 0
    private(set) var hits: [Hit] = []
    var unpackedBytes = 0
    var packedBytes = 0

    init(file: Plan.File, keepsHits: Bool) {
        self.file = file
        self.keepsHits = keepsHits
    }

    var records: Int {
        counts.reduce(0, +)
    }

    mutating func count(_ meaning: Meaning) {
        counts[meaning.rawValue] += 1
    }

    mutating func accept(clockFallback: Bool = false, _ hit: @autoclosure () -> Hit) {
        counts[Meaning.accepted.rawValue] += 1
        if clockFallback { clockFallbacks += 1 }
        if keepsHits { hits.append(hit()) }
    }
}
