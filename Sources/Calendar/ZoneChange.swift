/// An instant at which a zone's offset or its abbreviation changes, in seconds since 1970-01-01T00:00:00Z.
struct ZoneChange: Equatable {
    let instant: Int64
    let type: LocalTimeType
}
