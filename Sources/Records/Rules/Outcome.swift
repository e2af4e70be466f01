import Events

/// The result for a record. The delivery id of an accepted record is returned separately.
enum Outcome: Equatable {
    case accept(Record)
    case filter(FilterReason)
    case reject(RejectReason)
}

/// An accepted record without its delivery id.
package struct Record: Equatable, Sendable {
    package var id: EventID
    package var kind: Section.Kind
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var time: Int64
    /// The index of the action in `RecordRules.actions`.
    package var action: UInt16
    package var platform: Platform
    /// Whether the platform was looked up in a user agent, which is not missing.
    package var hasUserAgent = false
    /// Whether the payload's time was implausible. It was replaced by the time of the log line or, if there is none, by
    /// the start of the log date.
    package var clockFallback = false
}

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

/// Receives records. Each record is accepted, filtered or rejected exactly once. Spans are valid only during a call.
package protocol RecordSink {
    /// Called before the records of a line, or of a body that begins in it. Not called on the fast path.
    mutating func begin(line: Int)

    /// Accepts a record. `delivery` is the delivery id in normal form: valid UTF-8 in lower case.
    mutating func accept(_ record: Record, delivery: Span<UInt8>)

    /// The same for a record that may call its delivery something.
    mutating func accept(_ record: Record, delivery: Span<UInt8>, names: [FoundName])

    /// Accepts several records at once, because a call per record would cost more than reading it. Their delivery ids
    /// are in `bytes`, and all have a user agent.
    mutating func accept(_ found: Span<FoundEvent>, in bytes: Span<UInt8>)

    /// Counts a valid record that does not count.
    mutating func filter(_ reason: FilterReason)

    /// Counts an invalid record.
    /// - Parameters:
    ///   - line: 1-based.
    ///   - detail: makes a sentence that explains the reason; may be empty.
    ///   - evidence: raw bytes of the record, for `maskedSample`.
    mutating func reject(_ reason: RejectReason, line: Int, detail: () -> String, evidence: Span<UInt8>)
}

extension RecordSink {
    package mutating func begin(line: Int) {}

    package mutating func accept(_ record: Record, delivery: Span<UInt8>, names: [FoundName]) {
        accept(record, delivery: delivery)
    }

    /// Counts an invalid record without a detail.
    package mutating func reject(_ reason: RejectReason, line: Int, evidence: Span<UInt8>) {
        reject(reason, line: line, detail: { "" }, evidence: evidence)
    }

    /// Accepts the records one by one.
    package mutating func accept(_ found: Span<FoundEvent>, in bytes: Span<UInt8>) {
        for index in found.indices {
            accept(found[index], in: bytes, hasUserAgent: true)
        }
    }

    @inline(never)
    mutating func accept(_ event: FoundEvent, in bytes: Span<UInt8>, hasUserAgent: Bool) {
        let record = Record(
            id: event.id, kind: event.kind, time: event.time, action: event.action, platform: event.platform,
            hasUserAgent: hasUserAgent)
        accept(record, delivery: bytes.extracting(event.delivery..<event.delivery + Int(event.deliveryCount)))
    }
}

/// A small buffer of events for a sink, which accepts several at once.
struct FoundEvents {
    private var events: InlineArray<32, FoundEvent>
    private var count = 0

    init() {
        let filler = FoundEvent(
            id: EventID(high: 0, low: 0), kind: .hex, time: 0, action: 0, platform: .unknown, delivery: 0..<0)
        events = InlineArray(repeating: filler)
    }

    /// Adds an event that was found in `bytes`; passes all on if the buffer is full.
    @inline(__always)
    mutating func append(_ event: FoundEvent, in bytes: Span<UInt8>, flushingTo sink: inout some RecordSink) {
        assert(count < events.count)
        events[count] = event
        count &+= 1
        if count == events.count { flush(to: &sink, from: bytes) }
    }

    /// Passes all events to the sink.
    mutating func flush(to sink: inout some RecordSink, from bytes: Span<UInt8>) {
        guard count > 0 else { return }
        sink.accept(events.span.extracting(0..<count), in: bytes)
        count = 0
    }
}
