/// What a zone's clocks show from a change on: the offset in seconds east of UTC, and its abbreviation.
struct LocalTimeType: Equatable {
    let offset: Int32
    /// Such as `CEST`; `+03` where people have no abbreviation.
    let abbreviation: String
}
