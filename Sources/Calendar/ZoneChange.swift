/// An instant at which a zone changes its offset, in seconds since 1970-01-01T00:00:00Z, and its offset from then on, in
/// seconds east of UTC.
struct ZoneChange: Equatable {
    let instant: Int64
    let offset: Int32
}
