/// Why a time zone cannot be used.
package enum ZoneError: Error, Equatable {
    /// The time zone database has no zone of this name.
    case unknown
    /// In words.
    case unusable(String)
}
