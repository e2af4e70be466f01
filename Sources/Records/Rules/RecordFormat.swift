/// The kind of log: what its records are.
package enum RecordFormat: String, CaseIterable, Sendable {
    /// Requests `/r/?id=…`.
    case collector
    /// A form with a JSON payload in the field `mzip`.
    case mzip
    /// JSON bodies of Braze's `/users/track`.
    case usersTrack = "users_track"
}
