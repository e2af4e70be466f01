/// Why a time zone cannot be used.
package enum ZoneError: Error, Hashable {
    /// The time zone database has no zone of this name.
    case unknown
    /// There is no time zone database in this folder.
    case noDatabase(folder: String)
    /// The zone's file is damaged, or counts leap seconds.
    case invalid(path: String)
    /// `code` is the system's error code.
    case unreadable(path: String, code: Int32)
}
