// A compact item is an event of one record in 12 to 32 bytes: its id, and its detail in one word or two.
//
//   type     id                 detail          used for
//   Short    low - lowest       detail          hexadecimal ids within 2^32 of each other, as the ids of a month are
//   Wide     high, low          detail          other hexadecimal ids, UUIDs and digests
//   Full     high, low          time, others    events whose detail does not fit one word
//
// The detail is, from the lowest bit: the time since the earliest time of the buffer, the platform, the action, the
// source and the delivery. Each field has as many bits as its largest value in the buffer needs. Example: 32 bits of
// time, 2 of platform, 3 of action, 1 of source and 12 of delivery are 50 bits.

/// An event of one record in a compact run.
protocol CompactItem: BitwiseCopyable, Sendable {
    init(_ event: Event, _ layout: DetailLayout)
    func id(_ layout: DetailLayout) -> EventID
    func event(_ layout: DetailLayout) -> Event
    /// The key of its id in `layout.ids`.
    func key(_ layout: DetailLayout) -> UInt64
    /// Whether its id is lower. Both items have the same layout.
    func precedes(_ other: Self) -> Bool
}
