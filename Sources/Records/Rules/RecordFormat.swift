/// The kind of log: what its records are.
package enum RecordFormat: String, CaseIterable, Sendable {
    /// Requests `/r/?id=…`.
    case collector
    /// A form with a JSON payload in the field `mzip`.
    case mzip
    /// JSON bodies of Braze's `/users/track`.
    case usersTrack = "users_track"
    /// JSON objects, each an event or with an array of events.
    case events

    /// Whether the layout `body` is a sequence of JSON objects, which may span lines.
    package var hasBodies: Bool { self == .usersTrack || self == .events }
}
